package lint

import (
	"regexp"
	"strings"
	"sync"
)

// checkLostExits reports commands whose exit code says less than it seems to, by the commonest ways to lose it.
func (l *linter) checkLostExits() {
	if !l.isOpen() {
		return
	}
	for _, c := range l.commands() {
		if why := lostExit(c.run); why != "" {
			l.report("lost_exit", c.line, l.editStep(), "%s: %s", c.what, why)
		}
	}
}

// A lossyForm is a form of shell lines, without what is quoted, that loses an exit code.
type lossyForm struct {
	pattern string
	why     string
}

var lossyForms = sync.OnceValue(func() map[*regexp.Regexp]string {
	// The programs that run tests: whatever reads their output, their exit code is the result.
	const runners = `(?:go (?:test|vet|build)|cargo (?:test|build|clippy)|(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+)* test|npx (?:jest|vitest|mocha|tsc)|pytest|python3? -m (?:pytest|unittest)|make|ctest|mvn|gradle|\./gradlew|rspec|phpunit|dotnet test)\b`
	out := map[*regexp.Regexp]string{}
	for _, form := range []lossyForm{
		{`\|\|\s*(?:true|:|exit 0|echo\b[^|&;]*|printf\b[^|&;]*)\s*[)}]?\s*$`, `it passes whatever happens, by what follows "||"`},
		{`;\s*(?:true|:|exit 0|echo\b[^|&;]*)\s*[)}]?\s*$`, `it passes whatever happens, by what follows the last ";"`},
		{`[^&|>]&\s*$`, `it passes whatever happens, as it does not wait for what "&" starts`},
		{`[^|]\|\s*(?:tee|cat|head|tail|sort|uniq|tr|wc|cut|sed|column|less)\b[^|&;]*$`, `its exit code is that of what follows the last "|", which passes whatever it reads`},
		{`(?:^|[;&|(]\s*)` + runners + `[^|&;]*[^|&;>]\|[^|]`, `the exit code of the tests is lost in the pipe: write out=$(COMMAND) && echo "$out" | …`},
		{`^\s*find\s[^|;&]*$`, `find passes whether it finds something or not: … | grep -q .`},
		{`\btest -n \$\(|\[ -n \$\(`, `it passes if the output is empty, unless $(…) is in double quotes`},
	} {
		out[regexp.MustCompile(form.pattern)] = form.why
	}
	return out
})

// lostExit returns why the exit code of a shell line says less than it seems to, "" if no common reason is found.
func lostExit(line string) string {
	plain, comment := withoutQuoted(line)
	if strings.Contains(plain, "pipefail") {
		return ""
	}
	if strings.ContainsAny(comment, "&|;") {
		return `what follows "#" is a comment, and does not run`
	}
	plain = streamCopy().ReplaceAllString(plain, "")
	best := ""
	for pattern, why := range lossyForms() {
		// One reason is enough, and always the same one.
		if pattern.MatchString(plain) && (best == "" || why < best) {
			best = why
		}
	}
	return best
}

// withoutQuoted returns a shell line without the text in quotes, and the comment at its end.
func withoutQuoted(line string) (plain, comment string) {
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
				out.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote = c
			out.WriteByte(c)
		case c == '#' && (i == 0 || strings.IndexByte(" \t;", line[i-1]) >= 0):
			return out.String(), line[i+1:]
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), ""
}

// streamCopy is a redirection of one stream to another, whose "&" starts nothing.
var streamCopy = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d*>&\d`) })
