# {{ header }}
# Tools of packhorse-node log in with the keytab of the user who runs them; without one, they use the user's ticket.
keytab={{ security_dir }}/$(id -un).keytab
if [ -r "$keytab" ]; then
  export KRB5KEYTAB="$keytab" KRB5PRINCIPAL="$(id -un)/{{ host }}@{{ realm }}"
fi
