package console

import (
	"io"

	"chant/text"
)

// WriteJSON writes a value as JSON with a newline at its end, nothing escaped for HTML; without an indent it is one line.
func WriteJSON(w io.Writer, value any, indent string) error {
	out, err := text.JSON(value, indent)
	if err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}
