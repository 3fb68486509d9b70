package text

import (
	"bytes"
	"encoding/json"
)

// JSON returns a value as JSON for people to read: nothing is escaped for HTML. With an indent it has several lines. It
// has no line end.
func JSON(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
