package report

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

// Annotations writes findings as workflow commands, which GitHub shows beside the lines
// they are about. It shows ten of each level a step: errors first is for the caller to
// see to. Errors: those of w, and a finding of an unknown level.
func Annotations(w io.Writer, found []Finding) error {
	for _, f := range found {
		command, err := f.level(map[string]string{Error: "error", Warning: "warning", Note: "notice"})
		if err != nil {
			return err
		}
		var params []string
		if f.Path != "" {
			params = append(params, "file="+escapeProperty(f.Path))
		}
		if f.Path != "" && f.Line > 0 {
			params = append(params, "line="+strconv.Itoa(f.Line))
		}
		params = append(params, "title="+escapeProperty(f.title()))
		if _, err := io.WriteString(w, "::"+command+" "+strings.Join(params, ",")+"::"+escapeData(f.Message)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Quoted writes text in which the runner looks for no commands of its own: what commands
// of specs have printed is text, whatever it begins with. No one may know token before.
// Errors: those of w and of text.
func Quoted(w io.Writer, token string, text func(io.Writer) error) error {
	if _, err := io.WriteString(w, "::stop-commands::"+token+"\n"); err != nil {
		return err
	}
	err := text(w)
	_, closed := io.WriteString(w, "\n::"+token+"::\n")
	return errors.Join(err, closed)
}

// title names the spec and the rule.
func (f Finding) title() string {
	if f.Spec == "" {
		return "chant " + f.Rule
	}
	return f.Spec + " " + f.Rule
}

// escapeData and escapeProperty do what the runner undoes.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
