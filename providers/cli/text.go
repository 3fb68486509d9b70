package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"chant/text"
)

// plain shows a JSON value to people: a string without its quotes, null as
// nothing, all else unchanged.
func plain(raw json.RawMessage) string {
	var words string
	if json.Unmarshal(raw, &words) == nil {
		return words
	}
	return text.Line(raw)
}

// exitText says how a command ended, when not well.
func exitText(code *int) string {
	if code == nil || *code == 0 {
		return ""
	}
	return fmt.Sprintf("exit code %d\n", *code)
}

// jsonLine is a value in one line, since it may travel in a variable or an argument. Nothing
// is escaped for HTML: people read it.
func jsonLine(value any) (string, error) {
	out, err := text.JSON(value, "")
	return string(out), err
}

// quoteJSON quotes a text as in JSON and in basic strings of TOML.
func quoteJSON(text string) string {
	spelled, _ := jsonLine(text) // a string always encodes
	return spelled
}

// blockText joins the text of a tool's answer: a string, or a list of blocks as MCP has them.
func blockText(raw json.RawMessage) string {
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(raw, &blocks) != nil {
		return plain(raw)
	}
	var texts []string
	for _, block := range blocks {
		if block.Type == "text" {
			texts = append(texts, block.Text)
		} else {
			texts = append(texts, fmt.Sprintf("[%s]", block.Type))
		}
	}
	return strings.Join(texts, "\n")
}
