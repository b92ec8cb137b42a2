# Rendered from the inventory by Packhorse's cluster-config; changes are lost.
# packhorse-node's tools log in as the user that runs them, if that one has a keytab here; else with his ticket.
keytab=/etc/packhorse-security/$(id -un).keytab
if [ -r "$keytab" ]; then
  export KRB5KEYTAB="$keytab" KRB5PRINCIPAL="$(id -un)/host01@EXAMPLE.ORG"
fi
