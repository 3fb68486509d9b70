package loop

import "strings"

// ignored are the rules by which lists leave files out.
type ignored []ignoreRule

type ignoreRule struct {
	matches            func(path string) bool
	atTop, foldersOnly bool
}

// ignores reads the .gitignore at the top, as far as it is simple: names, paths and
// patterns, with a slash at the end for folders and one at the beginning or within for paths
// from the top. Lines that take something back are left out, and so is every other
// .gitignore: of what those take out more is listed.
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
		name, folders := strings.CutSuffix(line, "/")
		name, rooted := strings.CutPrefix(name, "/")
		if matches, err := glob(name); err == nil {
			rules = append(rules, ignoreRule{matches, rooted && !strings.Contains(name, "/"), folders})
		}
	}
	return rules
}

func (rules ignored) skip(path string, folder bool) bool {
	for _, r := range rules {
		if (folder || !r.foldersOnly) && !(r.atTop && strings.Contains(path, "/")) && r.matches(path) {
			return true
		}
	}
	return false
}
