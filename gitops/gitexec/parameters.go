package gitexec

import (
	"slices"
	"strconv"
	"strings"
)

const parametersName = "GIT_CONFIG_PARAMETERS"

// UnfoldParameters returns an environment with the settings of GIT_CONFIG_PARAMETERS among those of GIT_CONFIG_COUNT, where
// the rest of chant looks for them. Git sets that variable for what it starts, such as an alias, from its own "-c". One that
// cannot be parsed stays, so that git refuses it.
func UnfoldParameters(environ []string) []string {
	at := slices.IndexFunc(environ, func(pair string) bool { return strings.HasPrefix(pair, parametersName+"=") })
	if at < 0 {
		return environ
	}
	further, ok := parseParameters(strings.TrimPrefix(environ[at], parametersName+"="))
	if !ok {
		return environ
	}
	first := 0
	for _, pair := range environ {
		if count, ok := strings.CutPrefix(pair, "GIT_CONFIG_COUNT="); ok {
			n, _ := strconv.Atoi(count)
			first = max(0, n)
		}
	}
	out := slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		return strings.HasPrefix(pair, parametersName+"=") || strings.HasPrefix(pair, "GIT_CONFIG_COUNT=")
	})
	// They come last, as for git, which reads them after the others.
	for i, pair := range further {
		n := strconv.Itoa(first + i)
		out = append(out, "GIT_CONFIG_KEY_"+n+"="+pair[0], "GIT_CONFIG_VALUE_"+n+"="+pair[1])
	}
	return append(out, "GIT_CONFIG_COUNT="+strconv.Itoa(first+len(further)))
}

// parseParameters reads 'key'='value' and, as older versions of git write it, 'key=value', separated by blanks. A setting
// without a value is true. It returns false if one is in another form, as git takes none of them.
func parseParameters(text string) (list [][2]string, ok bool) {
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		key, rest, ok := cutQuoted(text)
		if !ok {
			return nil, false
		}
		value, valued := "true", false
		if rest, valued = strings.CutPrefix(rest, "="); !valued {
			// The key of an older form has no "=" itself.
			if old, of, found := strings.Cut(key, "="); found {
				key, value = old, of
			}
		} else if strings.HasPrefix(rest, "'") {
			if value, rest, ok = cutQuoted(rest); !ok {
				return nil, false
			}
		}
		if rest != "" && rest[0] != ' ' {
			return nil, false
		}
		list, text = append(list, [2]string{key, value}), rest
	}
	return list, true
}

// cutQuoted cuts off a text in single quotes, in which git writes a single quote and an exclamation mark as
//
//	'\''  and  '\!'
func cutQuoted(text string) (word, rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, "'")
	for ok {
		var part string
		if part, rest, ok = strings.Cut(rest, "'"); !ok {
			break
		}
		word += part
		if !strings.HasPrefix(rest, `\'`) && !strings.HasPrefix(rest, `\!`) || !strings.HasPrefix(rest[2:], "'") {
			return word, rest, true
		}
		word, rest = word+rest[1:2], rest[3:]
	}
	return "", "", false
}
