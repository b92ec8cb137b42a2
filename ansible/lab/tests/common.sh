# shellcheck shell=bash
# Functions of the lab's tests, which source this file. They run in the folder ansible/.
set -euo pipefail

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
install_dir=/opt/packhorse
packhorse_node=$install_dir/current/bin/packhorse-node
packhorse=$install_dir/current/packhorse
loader_dir=/var/lib/packhorse/loader
cluster_options="--hbase-conf /etc/packhorse/client-site.xml --tsd-conf /etc/packhorse/opentsdb.conf"
work=$(mktemp -d)
# More arguments for every playbook.
play_options=()

fail() {
  echo "lab test: $*" >&2
  exit 1
}

# Settings, loop devices and namespaces of the machine, which the lab must leave as they were.
machine() {
  sysctl -n vm.swappiness vm.dirty_ratio vm.max_map_count net.core.somaxconn
  losetup --list --noheadings --output NAME,BACK-FILE | sort
  ip netns list | sort
}
machine_before=$(machine)

finish() {
  local code=$?
  # shellcheck disable=SC2046
  kill $(jobs -p) 2>/dev/null || true
  if [ "$code" -ne 0 ] && [ -n "${LAB_KEEP:-}" ]; then
    echo "lab test: failed; logs in $work, the lab is up" >&2
    exit "$code"
  fi
  lab/lab down
  diff <(echo "$machine_before") <(machine) >&2 || { echo "lab test: the machine is not as it was before" >&2 && code=1; }
  [ "$code" -eq 0 ] || echo "lab test: failed; logs in $work" >&2
  exit "$code"
}

# up SIZE: starts the lab, and writes its CPU seconds and memory to $work/usage every ten seconds.
up() {
  trap finish EXIT
  lab/lab up --hosts "$1"
  while sleep 10; do lab/lab usage >>"$work/usage" 2>/dev/null || true; done &
}

# inventory SIZE [WORKER]: the lab's inventory, without a worker if one is named.
inventory() {
  rm -rf "$work/inventory"
  mkdir "$work/inventory"
  cp -r lab/inventories/group_vars "$work/inventory"
  cp "lab/inventories/$1.yml" "$work/inventory/hosts.yml"
  [ $# -eq 1 ] || awk -v host="$2:" '
    $0 == "    " host { skip = 1; next }
    skip && /^      / { next }
    { skip = 0 }
    $0 != "        " host' "lab/inventories/$1.yml" >"$work/inventory/hosts.yml"
}

# play NAME [OPTION...]: runs a playbook; prints its duration and the number of changes.
play() {
  local name=$1 started=$SECONDS
  shift
  if ! lab/lab run ansible-playbook -i "$work/inventory" "playbooks/$name.yml" "${play_options[@]}" "$@" >"$work/$name.log" 2>&1; then
    grep -E -A3 'fatal:|ERROR' "$work/$name.log" | cut -c1-2000 | tail -n 30 >&2
    echo "lab test: $name failed" >&2
    return 1
  fi
  echo "$name: $((SECONDS - started)) s, $(sed -n 's/.*changed=\([0-9]*\).*/\1/p' "$work/$name.log" | awk '{ sum += $1 } END { print sum }') changed"
}

# unchanged NAME: fails if the last run of the playbook changed something.
unchanged() {
  if grep -q 'changed=[1-9]' "$work/$1.log"; then
    grep -B30 '^changed:' "$work/$1.log" | grep -E '^(TASK|changed)' >&2
    echo "lab test: the second run of $1 changed something" >&2
    return 1
  fi
}

# loader HOST ARGUMENT...: runs a command of the loader on a host as user packhorse.
loader() {
  local host=$1
  shift
  lab/lab ssh "$host" "sudo -u packhorse env -C $loader_dir PACKHORSE_HEAP=512m PACKHORSE_JOBS=$loader_dir/jobs \
    $packhorse $* $cluster_options" </dev/null
}

passed() {
  local cpu
  read -r cpu _ < <(lab/lab usage)
  echo "lab test: passed in $((SECONDS / 60)) min: $cpu CPU s of the hosts," \
    "at most $(cut -d' ' -f2 "$work/usage" | sort -n | tail -n 1) MiB"
}
