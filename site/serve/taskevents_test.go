package serve

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/task/tasks"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// TestTaskStream_text turns what the hub says about specs into events about tasks.
func TestTaskStream_text(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".tasks/config.yml": "default:\n  project: AUTH\n"})
	all := &taskStream{p: p, keys: map[string]string{}}
	some := &taskStream{p: p, keys: map[string]string{}, kinds: []string{"task_deleted"}}
	other := &taskStream{p: p, keys: map[string]string{}, project: "WEB"}
	id := ""
	for _, step := range []struct {
		name            string
		act             func() error
		all, some, kept string // expressions
	}{
		{"created", func() error {
			r, err := tasks.Create(t.Context(), p, tasks.CreateInput{Title: "One"})
			id = r.Task.Spec
			return err
		}, `^event: task_created\ndata: \{"id":"AUTH-1",.*\n\nevent: project_changed\ndata: \{"name":"AUTH"\}\n\n$`, `^$`, `^$`},
		{"changed", func() error {
			_, err := tasks.CommentAdd(t.Context(), p, tasks.CommentInput{ID: "AUTH-1", Text: "seen"})
			return err
		}, `^event: task_updated\ndata: \{"id":"AUTH-1",.*"seen".*\n\nevent: project_changed\n`, `^$`, `^$`},
		{"deleted", func() error {
			_, err := tasks.Delete(t.Context(), p, tasks.DeleteInput{ID: "AUTH-1"})
			return err
		}, `^event: task_deleted\ndata: \{"id":"AUTH-1"\}\n\nevent: project_changed\n`, `^event: task_deleted\ndata: \{"id":"AUTH-1"\}\n\n$`, `^$`},
		{"gone already", func() error { return nil }, `^$`, `^$`, `^$`},
	} {
		assert.NoError(t, step.act(), "%s", step.name)
		for stream, want := range map[*taskStream]string{all: step.all, some: step.some, other: step.kept} {
			got := stream.text(t.Context(), []byte(`{"type":"change","ids":["`+id+`"]}`))
			assert.True(t, regexp.MustCompile(want).MatchString(got), "%s: got %q, want %s", step.name, got, want)
		}
	}
	assert.Equal(t, "", all.text(t.Context(), []byte(`{"type":"log","id":"`+id+`"}`)), "a log has grown")
}

// TestTaskStream_form begins with the time after which clients connect again, and repeats a comment.
func TestTaskStream_form(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &server{project: p, hub: newHub(func(context.Context) ([]view.Row, error) { return nil, nil }, nil), ending: ctx}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form := (&taskStream{p: p, keys: map[string]string{}}).form(r.Context())
		form.every = time.Millisecond
		s.stream(w, r, form)
	}))
	defer web.Close()
	answer, err := web.Client().Get(web.URL)
	assert.NoError(t, err)
	defer answer.Body.Close()
	var lines []string
	for scan := bufio.NewScanner(answer.Body); len(lines) < 6 && scan.Scan(); {
		lines = append(lines, scan.Text())
	}
	cancel()
	got, want := strings.Join(lines, "|"), "retry: 1000||:heartbeat||:heartbeat|"
	assert.Equal(t, want, got)
}
