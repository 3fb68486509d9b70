package cli

import (
	"encoding/json"
	"strconv"
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

// exitText says how a command ended, when not well.
func exitText(code *int) string {
	if code == nil || *code == 0 {
		return ""
	}
	return "exit code " + plainNumber(*code) + "\n"
}

func plainNumber(n int) string { return strconv.Itoa(n) }
