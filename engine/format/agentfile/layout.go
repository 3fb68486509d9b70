package agentfile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonStyle is the layout of a file.
type jsonStyle struct {
	indent  string // of one level
	newline string
	oneLine bool
}

func jsonStyleOf(body []byte, top *hujson.Object) jsonStyle {
	style := jsonStyle{indent: "  ", newline: newlineOf(body)}
	if len(top.Members) > 0 {
		style.oneLine = !bytes.Contains(bytes.TrimSpace(body), []byte("\n"))
		if own, ok := indentOf(top.Members[0].Name.BeforeExtra); ok && own != "" {
			style.indent = own
		}
	}
	return style
}

// addMember inserts a member at the end of an object, with the layout of the members before
// it. text is indented by two spaces a level, from column 0.
func addMember(src []byte, v hujson.Value, text string, style jsonStyle) []byte {
	o, _ := v.Value.(*hujson.Object)
	end := v.EndOffset - len("}")
	start := end - len(o.AfterExtra)
	// The member goes behind comments, which are about those before it.
	at := start + len(bytes.TrimRight(o.AfterExtra, " \t\r\n"))
	outer := lineIndent(src, v.StartOffset)
	inner, flat := outer+style.indent, style.oneLine
	before, behind := "", "" // the commas
	if n := len(o.Members); n > 0 {
		own, ownLine := indentOf(o.Members[n-1].Name.BeforeExtra)
		if ownLine {
			inner = own
		}
		flat = !ownLine && at == start
		before = ","
		// A trailing comma means that the file's author wants one behind the last member too.
		if src[start-1] == ',' {
			before, behind = "", ","
		}
	}
	if flat {
		text = flatten(o, text) + behind
	} else {
		text = style.newline + inner + layOut(text, inner, style) + behind
		// The brace is not on a line of its own.
		if !bytes.Contains(src[at:end], []byte("\n")) {
			at, text = end, text+style.newline+outer
		}
	}
	return slices.Concat(src[:start], []byte(before), src[start:at], []byte(text), src[at:])
}

// layOut indents the lines of a member after the first.
func layOut(text, inner string, style jsonStyle) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		bare := strings.TrimLeft(line, " ")
		lines[i+1] = inner + strings.Repeat(style.indent, (len(line)-len(bare))/2) + bare
	}
	return strings.Join(lines, style.newline)
}

// flatten returns a member for an object on one line, after a space if the object
// uses spaces.
func flatten(o *hujson.Object, text string) string {
	var out bytes.Buffer
	if n := len(o.Members); n > 0 && (len(o.Members[n-1].Name.BeforeExtra) > 0 || len(o.Members[n-1].Value.BeforeExtra) > 0) {
		out.WriteString(" ")
	}
	// The text is our member; compacting it requires braces around it.
	if err := json.Compact(&out, []byte("{"+text+"}")); err != nil {
		return text
	}
	flat := strings.TrimSuffix(out.String(), "}")
	return strings.Replace(flat, "{", "", 1)
}

// indentOf is the indentation of what follows on a line of its own; ok is false
// if it is on the same line as something else.
func indentOf(before hujson.Extra) (indent string, ok bool) {
	at := bytes.LastIndexByte(before, '\n')
	if at < 0 {
		return "", false
	}
	return lineIndent(before, at+1), true
}

// lineIndent is the white space at the beginning of the line at an offset.
func lineIndent(src []byte, at int) string {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
