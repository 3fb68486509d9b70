package hooks

import "strings"

// script is the script that the blocks source. $chant_hook names the hook; the positional
// parameters and the standard input are those of the hook. After chant has read it, the standard
// input has its content again.
const script = `# Written by "chant hooks install", read by the hooks of this repository.
chant_bin=PROGRAM
if [ ! -x "$chant_bin" ]; then chant_bin=$(command -v chant) || chant_bin=; fi
chant_due= chant_in= chant_line= chant_code=0
case $chant_hook in
pre-commit)
	git diff --cached --quiet -- .chant/specs || chant_due=1
	;;
commit-msg)
	while IFS= read -r chant_line || [ -n "$chant_line" ]; do
		case $chant_line in 'chant('*) chant_due=1 ;; esac
	done <"$1"
	;;
pre-push)
	while IFS= read -r chant_line || [ -n "$chant_line" ]; do
		chant_in="$chant_in$chant_line
" chant_due=1
	done
	;;
esac
if [ -n "$chant_due" ] && [ -z "$chant_bin" ]; then
	echo "chant: not found, $chant_hook continues without it" >&2
elif [ "$chant_due$chant_hook" = 1pre-push ]; then
	printf '%s' "$chant_in" | "$chant_bin" hooks run "$chant_hook" "$@" || chant_code=$?
elif [ -n "$chant_due" ]; then
	"$chant_bin" hooks run "$chant_hook" "$@" </dev/null || chant_code=$?
fi
case $chant_code in
0) ;;
2|126|127|132|134|135|138|139) echo "chant: $chant_bin does not run, $chant_hook continues without it" >&2 ;;
*) exit "$chant_code" ;;
esac
if [ -n "$chant_in" ]; then
	exec <<CHANT_STANDARD_INPUT
${chant_in%?}
CHANT_STANDARD_INPUT
elif [ "$chant_hook" = pre-push ]; then
	exec </dev/null
fi
`

// Script returns the script for a chant at a path with slashes.
func Script(path string) []byte {
	return []byte(strings.Replace(script, "PROGRAM", Quote(path), 1))
}

// Quote writes a text as one word of a POSIX shell.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
