package providers

import "strings"

// expand replaces every known placeholder of a template in one pass, so that a
// value that looks like a placeholder stays as it is.
func expand(template string, in Invocation) string {
	return eachPlaceholder(template, func(name string) (string, bool) {
		return placeholder(name, in)
	})
}

// unknownPlaceholder returns the first placeholder that no run can fill.
func unknownPlaceholder(template string) (string, bool) {
	unknown, found := "", false
	eachPlaceholder(template, func(name string) (string, bool) {
		if _, known := placeholder(name, Invocation{}); !known && !found {
			unknown, found = name, true
		}
		return "", false
	})
	return unknown, found
}

func placeholder(name string, in Invocation) (value string, known bool) {
	switch name {
	case "prompt_file":
		return in.PromptFile, true
	case "spec_file":
		return in.SpecFile, true
	case "worktree":
		return in.Worktree, true
	case "model":
		return in.Model, true
	case "spec_id":
		return in.SpecID, true
	case "branch":
		return in.Branch, true
	}
	return "", false
}

// eachPlaceholder calls value for every {{name}}, spaces around the name
// allowed, and puts its answer in the place unless value declines. Braces that
// never close are plain text.
func eachPlaceholder(template string, value func(name string) (string, bool)) string {
	var out strings.Builder
	for {
		before, rest, open := strings.Cut(template, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			out.WriteString(template)
			return out.String()
		}
		out.WriteString(before)
		if text, ok := value(strings.TrimSpace(name)); ok {
			out.WriteString(text)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		template = after
	}
}
