package tasks

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/task"
	"chant/engine/task/taskboard"
)

// BulkInput names the tasks of a call about several.
type BulkInput struct {
	IDs         IDList `json:"ids" jsonschema:"Tasks, by number or spec id" schema:"minitems=1,maxitems=1000"`
	Project     string `json:"project,omitempty" jsonschema:"Prefix, for ids that are only numbers"`
	StopOnError bool   `json:"stop_on_error,omitempty" jsonschema:"Leave out the tasks behind one that fails" schema:"default=false"`
}

// IDList is the ids of a call about several tasks.
type IDList []string

// UnmarshalJSON reads a list, of which it drops what is not a text, or one text with commas.
func (l *IDList) UnmarshalJSON(raw []byte) error {
	var items []any
	var text string
	switch {
	case json.Unmarshal(raw, &items) == nil:
	case json.Unmarshal(raw, &text) == nil:
		for part := range strings.SplitSeq(text, ",") {
			items = append(items, part)
		}
	default:
		return task.Invalid("ids must be a list of strings")
	}
	*l = IDList{}
	for _, item := range items {
		// lotar drops what is not a text.
		if id, ok := item.(string); ok {
			*l = append(*l, id)
		}
	}
	return nil
}

// BulkUpdateInput is one patch for several tasks.
type BulkUpdateInput struct {
	BulkInput
	Patch Patch `json:"patch" jsonschema:"Fields to change; null clears one"`
	Exact bool  `json:"-"`
}

// BulkCommentInput is one comment for several tasks.
type BulkCommentInput struct {
	BulkInput
	Text string `json:"text" jsonschema:"Text of the comment"`
}

// BulkReferenceInput is one reference for several tasks.
type BulkReferenceInput struct {
	BulkInput
	Kind  string `json:"kind" jsonschema:"link, file, code, jira or github"`
	Value string `json:"value" jsonschema:"URL, path, path#start-end, PROJ-1 or owner/repo#1"`
}

// BulkResult lists the tasks that were changed and those that failed.
type BulkResult struct {
	Status  string      `json:"status"` // ok
	Updated []task.Task `json:"updated"`
	Failed  []Failed    `json:"failed"`
	Skipped []string    `json:"skipped,omitempty"` // not tried, because a task before them failed
	Commit  string      `json:"commit,omitempty"`
}

// BulkReferenceResult lists the tasks that have the reference now, or do not have it any longer.
type BulkReferenceResult struct {
	Status  string             `json:"status"` // ok
	Action  string             `json:"action"` // add or remove
	Kind    string             `json:"kind"`
	Value   string             `json:"value"`
	Updated []ChangedReference `json:"updated"`
	Failed  []Failed           `json:"failed"`
	Skipped []string           `json:"skipped,omitempty"`
	Commit  string             `json:"commit,omitempty"`
}

// ChangedReference is one task of a BulkReferenceResult.
type ChangedReference struct {
	ID      string    `json:"id"`
	Changed bool      `json:"changed"`
	Task    task.Task `json:"task"`
}

// BulkUpdate patches several tasks in one commit. A patch that is not allowed fails the whole call, a task that cannot
// be changed fails alone. Errors: Usage.
func BulkUpdate(ctx context.Context, p *engine.Project, in BulkUpdateInput) (BulkResult, error) {
	board, ids, err := in.open(ctx, p)
	if err != nil {
		return BulkResult{}, err
	}
	// A patch that is not allowed would fail for each task alike, with as many messages.
	if err := checkPatch(ctx, p, board, in.Patch, in.Exact); err != nil {
		return BulkResult{}, asEngineError(err, "")
	}
	return bulk(ctx, p, board, ids, in.StopOnError, "update", "update "+task.WithNoun(len(ids), "task"), updatePlan(in.Patch, in.Exact), blockedBy(ctx, p, ids, in.Patch.Relationships)...)
}

// checkPatch checks the values of a patch before any task is read.
func checkPatch(ctx context.Context, p *engine.Project, board taskboard.Board, patch Patch, exact bool) error {
	f := &fields{p: p, board: board, exact: exact}
	if err := f.addTexts(ctx, patch); err != nil {
		return memberFault(err, task.UpdateFailed, "Task update failed")
	}
	if err := f.addLists(patch); err != nil {
		return err
	}
	if patch.Status != nil {
		if _, _, err := f.statusFor(*patch.Status); err != nil {
			return err
		}
	}
	return checkTexts(patch)
}

// BulkComment adds one comment to several tasks in one commit. Errors: Usage.
func BulkComment(ctx context.Context, p *engine.Project, in BulkCommentInput) (BulkResult, error) {
	text, err := commentText(in.Text)
	if err != nil {
		return BulkResult{}, asEngineError(err, "")
	}
	board, ids, err := in.open(ctx, p)
	if err != nil {
		return BulkResult{}, err
	}
	return bulk(ctx, p, board, ids, in.StopOnError, "comment", "comment on "+task.WithNoun(len(ids), "task"), commentPlan(text))
}

// BulkReferenceAdd adds one reference to several tasks in one commit. Errors: Usage.
func BulkReferenceAdd(ctx context.Context, p *engine.Project, in BulkReferenceInput) (BulkReferenceResult, error) {
	return bulkReference(ctx, p, in, "add")
}

// BulkReferenceRemove removes one reference from several tasks in one commit. Errors: Usage.
func BulkReferenceRemove(ctx context.Context, p *engine.Project, in BulkReferenceInput) (BulkReferenceResult, error) {
	return bulkReference(ctx, p, in, "remove")
}

func bulkReference(ctx context.Context, p *engine.Project, in BulkReferenceInput, action string) (BulkReferenceResult, error) {
	r, err := readReference(p, in.Kind, in.Value, action)
	if err != nil {
		return BulkReferenceResult{}, asEngineError(err, "")
	}
	board, ids, err := in.open(ctx, p)
	if err != nil {
		return BulkReferenceResult{}, err
	}
	changed := map[string]bool{}
	done, err := bulk(ctx, p, board, ids, in.StopOnError, "reference", action+" a reference of "+task.WithNoun(len(ids), "task"), referencePlan(r, action, changed))
	if err != nil {
		return BulkReferenceResult{}, err
	}
	result := BulkReferenceResult{"ok", action, r.Kind, r.Value, []ChangedReference{}, done.Failed, done.Skipped, done.Commit}
	for _, t := range done.Updated {
		result.Updated = append(result.Updated, ChangedReference{t.ID, changed[t.Spec], t})
	}
	return result, nil
}

// open opens the board of a call, and returns the texts that name its tasks, each once.
func (in BulkInput) open(ctx context.Context, p *engine.Project) (taskboard.Board, []string, error) {
	if in.IDs == nil {
		return taskboard.Board{}, nil, asEngineError(task.Invalid("Missing ids"), "")
	}
	board, err := taskboard.Open(ctx, p, in.Project)
	if err != nil {
		return taskboard.Board{}, nil, err
	}
	var out []string
	for _, id := range in.IDs {
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		id = board.KeyOf(id)
		// A task that is named twice would get the change twice.
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return taskboard.Board{}, nil, asEngineError(task.Invalid("ids must not be empty"), "")
	}
	return board, out, nil
}

// bulk carries out a plan for several tasks.
func bulk(ctx context.Context, p *engine.Project, board taskboard.Board, ids []string, stop bool, word, subject string, plan Plan, also ...string) (BulkResult, error) {
	out, err := EditAll(ctx, p, board, ids, stop, word, subject, plan, also...)
	if err != nil {
		return BulkResult{}, asEngineError(err, "")
	}
	result := BulkResult{Status: "ok", Updated: []task.Task{}, Failed: out.Failed, Skipped: out.Skipped, Commit: out.Saved.Commit}
	result.Updated, err = viewAll(ctx, p, board, out.IDs)
	return result, err
}
