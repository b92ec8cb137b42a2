#!/bin/sh
# Turns the series into git commits and back; see README.md. Run from anywhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jar=$(ls "$here"/target/opentsdb-*-sources.jar 2>/dev/null | tail -n 1)
names() { grep -v -e '^#' -e '^$' "$here/patches/series" || true; }

case "${1:-} ${2:+dir}" in
"checkout dir")
  if [ -z "$jar" ]; then
    echo "series.sh: build the module first, it fetches the sources" >&2
    exit 1
  fi
  mkdir "$2"
  cd "$2"
  git init -q
  git config user.name packhorse
  git config user.email packhorse@localhost
  unzip -q "$jar" 'net/opentsdb/*.java'
  git add -A
  git commit -q -m "$(basename "$jar") as published"
  git tag published
  names | while read -r name; do
    git apply --whitespace=nowarn "$here/patches/$name"
    git add -A
    sed '/^--- a\//,$d' "$here/patches/$name" | sed 1G | git commit -q --cleanup=verbatim -F -
  done
  ;;
"export dir")
  cd "$2"
  commits=$(git rev-list --reverse published..HEAD)
  if [ "$(echo "$commits" | grep -c .)" != "$(names | grep -c .)" ]; then
    echo "series.sh: one commit for each line of patches/series, in that order" >&2
    exit 1
  fi
  names | while read -r name; do
    commit=${commits%%
*}
    commits=${commits#*
}
    mkdir -p "$(dirname "$here/patches/$name")"
    {
      git log -1 --format=%B "$commit" | sed '/^$/d'
      git diff -U3 --no-color --src-prefix=a/ --dst-prefix=b/ "$commit~" "$commit" |
        sed -e '/^diff --git /d' -e '/^index /d'
    } > "$here/patches/$name"
  done
  ;;
*)
  echo "usage: series.sh checkout DIR | export DIR" >&2
  exit 2
  ;;
esac
