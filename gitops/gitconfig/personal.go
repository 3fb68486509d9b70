package gitconfig

import (
	"context"
	"fmt"
	"strings"
)

// Personal returns the settings of the person who works here, which hold in all repositories, as the text of one file: those
// of their own files and of what these include. Left out is what comes from files that may refuses.
func (s *Settings) Personal(ctx context.Context, may func(file string) bool) ([]byte, error) {
	// It fills what is read below.
	if _, _, err := s.listOrigins(ctx); err != nil {
		return nil, err
	}
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	var out strings.Builder
	for i, entry := range s.listed.entries {
		if s.listed.scopes[i] != "global" || !may(s.listed.origins[i]) {
			continue
		}
		key, value, set := strings.Cut(entry, "\n")
		section, rest, _ := strings.Cut(key, ".")
		// What they include is there already.
		if section == "include" || section == "includeif" {
			continue
		}
		name := rest
		if dot := strings.LastIndexByte(rest, '.'); dot >= 0 {
			name = rest[dot+1:]
			section = fmt.Sprintf("%s \"%s\"", section, inName.Replace(rest[:dot]))
		}
		fmt.Fprintf(&out, "[%s]\n\t%s", section, name)
		// Without a value it is true.
		if set {
			fmt.Fprintf(&out, " = \"%s\"", inValue.Replace(value))
		}
		out.WriteByte('\n')
	}
	return []byte(out.String()), nil
}

// How git writes what it would otherwise take for its own: in the names of sections, and in values.
var (
	inName  = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	inValue = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`)
)
