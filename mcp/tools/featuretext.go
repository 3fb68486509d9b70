package tools

import (
	gocontext "context"
	"fmt"

	"chant/engine"
	"chant/engine/feature"
	"chant/mcp/toolset"
	"chant/text"
)

// featureContext is the text of a context: the fields of the contract in its order.
type featureContext struct {
	Number *string `json:"feature_number"`
	Name   *string `json:"feature_name"`
	Branch *string `json:"branch"`
	Phase  *string `json:"phase"`
	Dir    *string `json:"spec_dir"`
}

func contextText(_ feature.ContextInput, r feature.ContextResult) (string, error) {
	return compactJSON(featureContext{r.Number, r.Name, r.Branch, r.Phase, r.Dir})
}

func document(_ feature.ReadSpecInput, r feature.ReadSpecResult) (string, error) { return r.Text, nil }

// status is a report, with what the person was asked.
type status struct {
	feature.ReportStatusResult
	answer string // the text of it, or why there is none; "" while the question is open
}

// report takes a report, and waits for the person where the client does.
func report(ctx gocontext.Context, p *engine.Project, in feature.ReportStatusInput) (status, error) {
	r, err := feature.ReportStatus(ctx, p, in)
	if err != nil || r.Question == nil {
		return status{ReportStatusResult: r}, err
	}
	reply, err := toolset.Await(ctx, p, *r.Question)
	r.Question = &reply.AskResult
	if reply.Text() != "" {
		r.Effect = reply.Effect()
	}
	return status{r, reply.Text()}, err
}

// reportText returns the text of rstn, and then the answer of the person.
func reportText(in feature.ReportStatusInput, r status) ([]string, error) {
	texts := []string{fmt.Sprintf("Status '%s' reported successfully", in.Status)}
	if r.answer != "" {
		texts = append(texts, r.answer)
	}
	return texts, nil
}

func completedText(_ feature.CompleteTaskInput, r feature.CompleteTaskResult) (string, error) {
	return fmt.Sprintf("Task %s marked for completion. Processing...", r.ID), nil
}

func hookText(_ feature.RunHookInput, r feature.RunHookResult) (string, error) { return compactJSON(r) }

// compactJSON is JSON on one line.
func compactJSON(v any) (string, error) {
	out, err := text.JSON(v, "")
	return string(out), err
}
