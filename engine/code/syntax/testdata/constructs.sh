#!/usr/bin/env bash
# Constructs of shells.

. ./relative.sh
source "$(dirname "$0")/lib.sh"

readonly VERSION=1.0
declare -A TABLE=([a]=1 [b]=2)
export PATH="$PATH:/opt" OTHER=1
local_list=(one two)

# Posix form.
posix() { echo "$1"; }

function keyword { call_me; }
function both() {
    local x
    x=$(inner "$@")
    nested() { deep; }
    nested
}

sub_shell() (
    cd /tmp && run_it
)

with-dash() { dashed; }
name::space() { spaced; }
one_line() { [[ -n $1 ]] && return 0; }

here() {
    cat <<EOT
not_a_function() {
    nothing
}
EOT
    cat <<-'QUOTED' | filter
	also_not() { :; }
	QUOTED
    grep x <<< "$text"
}

if command -v tool > /dev/null; then
    only_with_tool() { tool --run; }
else
    only_with_tool() { fallback; }
fi

case "$1" in
    start) start_it ;;
    stop|halt) stop_it ;;
    *) usage; exit 1 ;;
esac

for f in *.txt; do process "$f"; done
while read -r line; do handle "$line"; done < <(list_all)
until ready; do sleep 1; done

redirected() {
    work
} > log 2>&1

trap cleanup EXIT
(( count++ ))
coproc worker { loop; }
main "$@"
