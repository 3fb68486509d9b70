package tools

import (
	"fmt"
	"strings"

	"chant/engine/task/sprints"
	"chant/engine/task/tasks"
	"chant/mcp/toolset"
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

// addTexts puts a sentence for each task that was moved in front of the data.
func addTexts(_ sprints.AddInput, r sprints.AssignResult) ([]string, error) {
	data, err := toolset.JSON(r)
	if err != nil || len(r.Messages) == 0 {
		return []string{data}, err
	}
	return []string{strings.Join(r.Messages, "\n"), data}, nil
}

// deleteTexts puts a sentence in front of the data.
func deleteTexts(_ sprints.DeleteInput, r sprints.DeleteResult) ([]string, error) {
	data, err := toolset.JSON(r)
	return []string{r.Sentence, data}, err
}
