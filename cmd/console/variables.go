package console

import "strings"

// joinVariables replaces --uv-NAME=VALUE, which climpt has for variables of commands and which no flag parser knows, by
// --uv NAME=VALUE.
func joinVariables(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		name, isVariable := strings.CutPrefix(args[i], "--uv-")
		if !isVariable || name == "" {
			out = append(out, args[i])
			continue
		}
		if !strings.Contains(name, "=") && i+1 < len(args) {
			i++
			name += "=" + args[i]
		}
		out = append(out, "--uv="+name)
	}
	return out
}
