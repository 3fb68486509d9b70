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

// A lossyForm is a form of shell lines, without what is quoted or substituted, that loses an exit code.
type lossyForm struct {
	pattern *regexp.Regexp
	unless  *regexp.Regexp // lines of this form lose none; may be nil
	why     string
}

// lossyForms lists the forms. The first that a line has is its reason.
var lossyForms = sync.OnceValue(func() []lossyForm {
	// The programs that run tests: whatever reads their output, their exit code is the result.
	const runners = `(?:go (?:test|vet|build)|cargo (?:test|build|clippy)|(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+)* test|npx (?:jest|vitest|mocha|tsc)|pytest|python3? -m (?:pytest|unittest)|make|ctest|mvn|gradle|\./gradlew|rspec|phpunit|dotnet test)\b`
	// A line that ends itself elsewhere can fail although its last command passes.
	fails := regexp.MustCompile(`\bexit\s+[1-9$"]|\bset\s+-(?:\w*e|o errexit)`)
	// Listings and help print no results of tests.
	lists := regexp.MustCompile(`\bmake\b.*\s-n\b|\s(?:(?:--)?help|--version|--?list|--collect-only)\b`)
	collects := regexp.MustCompile(`\s-exec(?:dir)?\s.*\+`)
	return []lossyForm{
		{regexp.MustCompile(`\|\|\s*(?:true|:|exit 0|echo\b[^|&;]*|printf\b[^|&;]*)\s*[)}]?\s*$`), fails, `it passes whatever happens, by what follows "||"`},
		{regexp.MustCompile(`;\s*(?:true|:|exit 0|echo\b[^|&;]*)\s*[)}]?\s*$`), fails, `it passes whatever happens, by what follows the last ";"`},
		{regexp.MustCompile(`[^&|>]&\s*$`), nil, `it passes whatever happens, as it does not wait for what "&" starts`},
		{regexp.MustCompile(`[^|]\|\s*(?:tee|cat|head|tail|sort|uniq|tr|wc|cut|sed|column|less)\b[^|&;]*$`), nil, `its exit code is that of what follows the last "|", which passes whatever it reads`},
		{regexp.MustCompile(`(?:^|[;&|(]\s*)` + runners + `[^|&;]*[^|&;>]\|[^|]`), lists, `the exit code of the tests is lost in the pipe: write out=$(COMMAND) && echo "$out" | …`},
		// Without a test, find fails if the file that it names is missing; with -exec … +, if that fails.
		{regexp.MustCompile(`^\s*find\s[^|;&]*\s-(?:i?name|type|i?path)\b[^|;&]*$`), collects, `find passes whether it finds something or not: … | grep -q .`},
		{regexp.MustCompile(`\btest -n \$\(|\[ -n \$\(`), nil, `it passes if the output is empty, unless $(…) is in double quotes`},
	}
})

// lostExit returns why the exit code of a shell line says less than it seems to, "" if no common reason is found.
func lostExit(line string) string {
	plain, comment := withoutQuoted(line)
	if strings.Contains(plain, "pipefail") {
		return ""
	}
	if strings.Contains(comment, "&&") || strings.Contains(comment, "||") {
		return `what follows "#" is a comment, and does not run`
	}
	plain = streamCopy().ReplaceAllString(plain, "")
	for _, form := range lossyForms() {
		if form.pattern.MatchString(plain) && (form.unless == nil || !form.unless.MatchString(plain)) {
			return form.why
		}
	}
	return ""
}

// withoutQuoted returns a shell line without the text in quotes and in $(…), and the comment at its end.
func withoutQuoted(line string) (plain, comment string) {
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != '\'' && strings.HasPrefix(line[i:], "$("):
			if i = substitutionEnd(line, i+2); quote == 0 {
				out.WriteString("$()")
			}
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

// substitutionEnd returns the index of the parenthesis that ends a command substitution whose text begins at an index, or
// the length of the line.
func substitutionEnd(line string, start int) int {
	quote, depth := byte(0), 0
	for i := start; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != '\'' && strings.HasPrefix(line[i:], "$("):
			i = substitutionEnd(line, i+2)
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i
		case c == ')':
			depth--
		}
	}
	return len(line)
}

// streamCopy is a redirection of one stream to another, whose "&" starts nothing.
var streamCopy = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d*>&\d`) })
