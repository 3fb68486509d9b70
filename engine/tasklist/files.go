package tasklist

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// filePatterns are the expressions for paths.
var filePatterns = sync.OnceValue(func() (p struct{ word, line, ending, known *regexp.Regexp }) {
	p.word = regexp.MustCompile("`+[^`]*`+|[^\\s`]+")
	p.line = regexp.MustCompile(`:[0-9]+(?:[-:,][0-9]+)*$`)
	p.ending = regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9]{0,9}$`)
	p.known = regexp.MustCompile(`(?i)^(?:[\w@.+-]*\.(?:go|mod|sum|c|h|cc|cpp|hpp|cs|java|kt|kts|swift|rs|py|pyi|rb|php|ts|tsx|mts|js|jsx|mjs|cjs|vue|svelte|css|scss|html|md|mdx|txt|json|jsonc|ya?ml|toml|ini|cfg|conf|xml|sql|sh|bash|ps1|bat|proto|graphql|prisma|tf|gradle|lock|csv|svg|png|env)|Dockerfile|Makefile|\.gitignore|\.env(?:\.\w+)*)$`)
	return p
})

// filesIn returns the paths that a text names: words and code spans that look like one, and what follows "in". Only
// relative paths that stay below where they start are returned.
func filesIn(text string) []string {
	var files []string
	expected, listed := false, false // whether a path is next, or is if another word of a list follows
	for _, word := range filePatterns().word.FindAllString(text, -1) {
		file, ok := asPath(word, strings.HasPrefix(word, "`"), expected)
		if ok && !slices.Contains(files, file) {
			files = append(files, file)
		}
		lower := strings.ToLower(word)
		inList := expected && ok || listed
		expected = lower == "in" || inList && (lower == "and" || lower == "&" || strings.HasSuffix(word, ","))
		listed = ok && inList
	}
	return files
}

// asPath returns the path that a word is, if it looks like one. Where a path is expected, folders do too. A slash at
// its end stays.
func asPath(word string, code, expected bool) (string, bool) {
	if code {
		word = strings.Trim(word, "`")
	} else {
		word = strings.TrimLeft(word, `("'*<`)
		word = strings.TrimRight(word, `.,;:!?"'*>`)
		if strings.HasSuffix(word, ")") && strings.Count(word, ")") > strings.Count(word, "(") {
			word = strings.TrimRight(word, `).,;:`)
		}
	}
	word = filePatterns().line.ReplaceAllString(word, "")
	if word == "" || strings.ContainsAny(word, " \t\\\"'`<>|=,;!?&") || strings.Contains(word, "://") || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return "", false
	}
	slash := strings.Contains(word, "/")
	switch {
	case !slash && !filePatterns().known.MatchString(word):
		return "", false
	case !slash && !code && !expected:
		return "", false // a name in running text, such as "Node.js"
	case slash && !expected && !filePatterns().ending.MatchString(word) && !(code && strings.HasSuffix(word, "/")):
		return "", false // such as "and/or"
	case slash && !filePatterns().ending.MatchString(word) && unicode.IsUpper([]rune(word)[0]):
		return "", false // such as "GET/POST" or "London/Paris"
	case strings.HasPrefix(word, ".") && word[1] != '/' && word[1] != '.' && strings.Contains(word, "/."):
		return "", false // such as ".yml/.yaml"
	}
	clean := path.Clean(word)
	if clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", false
	}
	if strings.HasSuffix(word, "/") {
		clean += "/"
	}
	return clean, true
}
