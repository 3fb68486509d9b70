package feature

import (
	"fmt"

	"chant/engine/feature"
	"chant/providers/text"
)

// context is the text of a context: the fields of the contract in its order.
type context struct {
	Number *string `json:"feature_number"`
	Name   *string `json:"feature_name"`
	Branch *string `json:"branch"`
	Phase  *string `json:"phase"`
	Dir    *string `json:"spec_dir"`
}

func contextText(_ feature.ContextInput, r feature.ContextResult) (string, error) {
	return compact(context{r.Number, r.Name, r.Branch, r.Phase, r.Dir})
}

func document(_ feature.ReadSpecInput, r feature.ReadSpecResult) (string, error) { return r.Text, nil }

func reported(in feature.ReportStatusInput, _ feature.ReportStatusResult) (string, error) {
	return fmt.Sprintf("Status '%s' reported successfully", in.Status), nil
}

func completed(_ feature.CompleteTaskInput, r feature.CompleteTaskResult) (string, error) {
	return fmt.Sprintf("Task %s marked for completion. Processing...", r.ID), nil
}

func hookText(_ feature.RunHookInput, r feature.RunHookResult) (string, error) { return compact(r) }

// compact is JSON on one line.
func compact(v any) (string, error) {
	out, err := text.JSON(v, "")
	return string(out), err
}
