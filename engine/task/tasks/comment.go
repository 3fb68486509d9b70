package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/task/taskboard"
	"chant/markdown"
)

// CommentInput is a comment for a task.
type CommentInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
	Text    string `json:"text" jsonschema:"Text of the comment"`
}

// CommentUpdateInput replaces the text of a comment.
type CommentUpdateInput struct {
	CommentInput
	Index int `json:"index" jsonschema:"Which comment, from 0"`
}

// CommentResult is the task after a comment was added or changed.
type CommentResult struct {
	Status string    `json:"status"` // ok
	Action string    `json:"action"` // comment_add or comment_update
	ID     string    `json:"id"`
	Index  *int      `json:"index,omitempty"`
	Task   task.Task `json:"task"`
}

// CommentAdd appends a comment. Errors: Usage for an empty text, NotFound.
func CommentAdd(ctx context.Context, p *engine.Project, in CommentInput) (CommentResult, error) {
	text, err := commentText(in.Text)
	if err != nil {
		return CommentResult{}, asEngineError(err, "")
	}
	board, id, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return CommentResult{}, err
	}
	t, err := editOne(ctx, p, board, id, "comment", commentPlan(text))
	if err != nil {
		return CommentResult{}, err
	}
	return CommentResult{Status: "ok", Action: "comment_add", ID: t.ID, Task: t}, nil
}

// CommentUpdate replaces the text of a comment. Errors: Usage for an empty text and for an index that no comment has,
// NotFound.
func CommentUpdate(ctx context.Context, p *engine.Project, in CommentUpdateInput) (CommentResult, error) {
	text, err := commentText(in.Text)
	if err != nil {
		return CommentResult{}, asEngineError(err, "")
	}
	board, id, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return CommentResult{}, err
	}
	t, err := editOne(ctx, p, board, id, "comment", func(ctx context.Context, e *Editor, s *spec.File) error {
		// A run adds comments to other specs, and changes none.
		if !engine.AppliesToOwnCopy(p, "update", s.ID) {
			if err := engine.MayInside(p, "update", s.ID); err != nil {
				return err
			}
		}
		return e.editNotes(ctx, s, func(n *taskfields.Notes) ([]markdown.Edit, error) {
			if in.Index < 0 || in.Index >= len(n.Comments) {
				return nil, &task.Fault{Code: task.InvalidParams, Message: "Invalid comment index", Data: map[string]any{
					"details": fmt.Sprintf("index %d is out of range: the task has %s", in.Index, task.WithNoun(len(n.Comments), "comment")),
				}}
			}
			n.Comments[in.Index].Text = text
			return []markdown.Edit{markdown.Set("comments", n.Comments)}, nil
		})
	})
	if err != nil {
		return CommentResult{}, err
	}
	return CommentResult{Status: "ok", Action: "comment_update", ID: t.ID, Index: &in.Index, Task: t}, nil
}

func commentText(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		return "", task.Invalid("Missing text")
	}
	return text, engine.PlainText("text", text)
}

// commentPlan appends a comment of the caller.
func commentPlan(text string) Plan {
	return func(ctx context.Context, e *Editor, s *spec.File) error {
		who, err := taskboard.WhoIs(ctx, e.Project, e.Board)
		if err != nil {
			return err
		}
		return e.editNotes(ctx, s, func(n *taskfields.Notes) ([]markdown.Edit, error) {
			n.Comments = append(n.Comments, taskfields.Comment{Date: e.Project.Now().UTC().Format(time.RFC3339), Author: who.User, Text: text})
			return []markdown.Edit{markdown.Set("comments", n.Comments)}, nil
		})
	}
}

// editNotes edits comments or references of a task.
func (e *Editor) editNotes(ctx context.Context, s *spec.File, edit func(*taskfields.Notes) ([]markdown.Edit, error)) error {
	n, err := taskfields.ReadNotes(s.Doc)
	if err != nil {
		return err
	}
	edits, err := edit(&n)
	// Nothing to change is not an edit, so that no empty commit is made.
	if err != nil || len(edits) == 0 {
		return err
	}
	return e.Apply(ctx, s, Edit{Matter: edits})
}
