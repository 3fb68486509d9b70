package loop

import "strings"

// ignored are the rules by which lists leave files out.
type ignored []ignoreRule

type ignoreRule struct {
	matches     func(path string) bool
	foldersOnly bool
}

// ignores reads the .gitignore at the top, as far as it is simple: names, paths and
// patterns, with a slash at the end for folders. Lines that take something back are
// left out, and so is every other .gitignore: of what those take out more is listed.
func (t *tree) ignores() ignored {
	src, _, err := t.read(".gitignore")
	if err != nil {
		return nil // then nothing is ignored
	}
	var rules ignored
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		if rule, ok := parseIgnore(line); ok {
			rules = append(rules, rule)
		}
	}
	return rules
}

// parseIgnore reads one line. A slash within a pattern ties it to the top.
func parseIgnore(line string) (ignoreRule, bool) {
	pattern, folders := strings.CutSuffix(line, "/")
	name, rooted := strings.CutPrefix(pattern, "/")
	matches, err := glob(name)
	if err != nil {
		return ignoreRule{}, false
	}
	if !rooted || strings.Contains(name, "/") {
		return ignoreRule{matches, folders}, true
	}
	atTop := func(path string) bool { return !strings.Contains(path, "/") && matches(path) }
	return ignoreRule{atTop, folders}, true
}

func (rules ignored) skip(path string, folder bool) bool {
	for _, r := range rules {
		if (folder || !r.foldersOnly) && r.matches(path) {
			return true
		}
	}
	return false
}
