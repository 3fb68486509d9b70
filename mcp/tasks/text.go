package tasks

import (
	"fmt"
	"strings"

	"chant/engine/tasks"
)

func deleteText(_ tasks.DeleteInput, r tasks.DeleteResult) (string, error) {
	return fmt.Sprintf("deleted=%t", r.Deleted), nil
}

func configText(_ tasks.ConfigSetInput, r tasks.ConfigSetResult) (string, error) {
	text := "Configuration updated"
	for _, list := range []struct {
		title string
		lines []string
	}{{"Warnings", r.Warnings}, {"Info", r.Info}} {
		if len(list.lines) > 0 {
			text += "\n\n" + list.title + ":\n- " + strings.Join(list.lines, "\n- ")
		}
	}
	return text, nil
}
