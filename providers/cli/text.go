package cli

import (
	"encoding/json"
	"strings"

	"chant/providers"
)

// plain shows a JSON value to people: a string without its quotes, null as
// nothing, all else as it stands.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return providers.Printable(raw)
}

// oneLine folds white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
