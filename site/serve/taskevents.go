package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/spec/task"
	"chant/engine/task/tasks"
)

// taskBeat is how often lotar's clients get a comment.
const taskBeat = 15 * time.Second

// taskEvents is the stream of events that clients of lotar read: each names its kind, and has a task as data. kinds and
// project choose among them.
func (s *server) taskEvents(w http.ResponseWriter, r *http.Request) {
	t := &taskStream{p: s.project, kinds: wordsOf(r, "kinds", "topic"), project: r.URL.Query().Get("project"), keys: map[string]string{}}
	s.stream(w, r, t.form(r.Context()))
}

// form is how lotar writes a stream.
func (t *taskStream) form(ctx context.Context) streamForm {
	return streamForm{
		first: func() string { return "retry: 1000\n\n" + t.readKeys(ctx) }, beat: ":heartbeat\n\n", every: taskBeat,
		text: func(data []byte) string { return t.text(ctx, data) },
	}
}

// wordsOf returns the words of the first parameter that has any, in lower case.
func wordsOf(r *http.Request, names ...string) (words []string) {
	for _, name := range names {
		for word := range strings.SplitSeq(r.URL.Query().Get(name), ",") {
			if word = strings.ToLower(strings.TrimSpace(word)); word != "" {
				words = append(words, word)
			}
		}
		if len(words) > 0 {
			break
		}
	}
	return words
}

// taskStream turns changes of specs into events about tasks, for one client.
type taskStream struct {
	p       *engine.Project
	kinds   []string          // none = all
	project string            // "" = all
	keys    map[string]string // numbers of the tasks that the client knows of, by the ids of their specs
}

// readKeys notes which tasks there are: others are new. It returns a comment if they cannot be read.
func (t *taskStream) readKeys(ctx context.Context) string {
	set, err := t.p.Store.Load(ctx)
	if err != nil {
		return ":the tasks cannot be read now\n\n"
	}
	for _, one := range set.Specs {
		t.keys[one.ID] = cmp.Or(string(one.Fields.Task), one.ID)
	}
	return ""
}

// text returns the events for an event of the hub.
func (t *taskStream) text(ctx context.Context, data []byte) string {
	var e event
	if err := json.Unmarshal(data, &e); err != nil || e.Type != "change" {
		return ""
	}
	var out strings.Builder
	var projects []string
	for _, id := range e.IDs {
		kind, key, body := t.change(ctx, id)
		if kind == "" || !t.matchesProject(key) {
			continue
		}
		t.add(&out, kind, body)
		if prefix := prefixOf(key); prefix != "" && !slices.Contains(projects, prefix) {
			projects = append(projects, prefix)
		}
	}
	for _, prefix := range projects {
		t.add(&out, "project_changed", map[string]string{"name": prefix})
	}
	return out.String()
}

// change returns what happened to a spec, with the number of its task.
func (t *taskStream) change(ctx context.Context, id string) (kind, key string, body any) {
	before, known := t.keys[id]
	now, err := tasks.Get(ctx, t.p, tasks.GetInput{ID: id})
	if failed, ok := errors.AsType[*engine.Error](err); ok && failed.Code == engine.NotFound {
		if !known {
			return "", "", nil
		}
		delete(t.keys, id)
		return "task_deleted", before, map[string]string{"id": before}
	}
	if err != nil {
		return "", "", nil // such as a file that is being edited: its next change counts
	}
	t.keys[id] = now.ID
	if known {
		return "task_updated", now.ID, now
	}
	return "task_created", now.ID, now
}

// matchesProject reports whether the client wants to know of a task.
func (t *taskStream) matchesProject(key string) bool {
	return t.project == "" || strings.EqualFold(prefixOf(key), t.project)
}

// prefixOf returns the project of the number of a task, "" for the id of a spec.
func prefixOf(key string) string {
	prefix, _, ok := task.ParseKey(key)
	if !ok {
		return ""
	}
	return prefix
}

func (t *taskStream) add(out *strings.Builder, kind string, body any) {
	if len(t.kinds) > 0 && !slices.Contains(t.kinds, kind) {
		return
	}
	data, err := json.Marshal(body)
	// It has only texts and numbers.
	if err != nil {
		return
	}
	fmt.Fprintf(out, "event: %s\ndata: %s\n\n", kind, data)
}
