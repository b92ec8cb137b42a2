# Rendered from the inventory by Packhorse's cluster-config; changes are lost.
# Tools of packhorse-node log in with the keytab of the user who runs them; without one, they use the user's ticket.
keytab=/etc/packhorse-security/$(id -un).keytab
if [ -r "$keytab" ]; then
  export KRB5KEYTAB="$keytab" KRB5PRINCIPAL="$(id -un)/host01@EXAMPLE.ORG"
fi
