package console

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a value as JSON with a newline at its end, nothing escaped for HTML; without an indent it is one line.
func WriteJSON(w io.Writer, value any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(value)
}
