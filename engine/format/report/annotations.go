package report

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

// Annotations writes findings as workflow commands, which GitHub shows next to the lines they are about. GitHub shows
// ten of each level for a step, so callers sort errors first. Errors: those of w, and a finding of an unknown level.
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

// StopCommands writes text in which the runner ignores workflow commands, since the output of a spec's commands may
// contain some. The token must not be predictable. Errors: those of w and of text.
func StopCommands(w io.Writer, token string, text func(io.Writer) error) error {
	if _, err := io.WriteString(w, "::stop-commands::"+token+"\n"); err != nil {
		return err
	}
	err := text(w)
	// The token ends the block even if the text failed, or the rest of the job would print no commands.
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

// escapeData escapes a message for a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a parameter of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
