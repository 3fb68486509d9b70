package lotar

import (
	"encoding/json"
	"fmt"
	"strings"
)

// parseAliases reads "a=b, c=d" or a JSON object.
func parseAliases(text string) (map[string]string, error) {
	out := map[string]string{}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			return nil, fmt.Errorf("%q is not a mapping of words to words (use a=b, c=d)", text)
		}
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		alias, value, found := strings.Cut(part, "=")
		if alias, value = strings.TrimSpace(alias), strings.TrimSpace(value); !found || alias == "" || value == "" {
			return nil, fmt.Errorf("%q is not an alias (use alias=value)", strings.TrimSpace(part))
		}
		// Names of branches are compared without regard to case.
		out[strings.ToLower(alias)] = value
	}
	return out, nil
}
