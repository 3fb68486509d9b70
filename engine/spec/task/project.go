package task

import "strings"

// FindProject returns the project with a prefix or a name, in any case. A prefix takes precedence.
func FindProject(projects []Project, text string) (Project, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Project{}, false
	}
	// A prefix takes precedence over a name.
	for _, p := range projects {
		if strings.EqualFold(p.Prefix, text) {
			return p, true
		}
	}
	for _, p := range projects {
		if strings.EqualFold(p.Name, text) {
			return p, true
		}
	}
	return Project{}, false
}
