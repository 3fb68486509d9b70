package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/work/questions"
	"chant/mcp/taskrun"

	"github.com/alecthomas/assert/v2"
)

// asker is a client of a server in a project, and the project as the person there sees it.
type asker struct {
	*peer
	p *engine.Project
}

// newAsker connects a client with these capabilities.
func newAsker(t *testing.T, version, capabilities string) asker {
	t.Helper()
	dir, _ := oneSpec(t)
	p, err := opener(dir)("")
	assert.NoError(t, err)
	c := dial(t.Context(), t, newServer(io.Discard, opener(dir), fixed(table()...), Options{Version: "0"}))
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"t","version":"1"}}}`, version, capabilities))
	c.receive()
	return asker{c, p}
}

// answer answers the only open question as a person does.
func (a asker) answer(text string) {
	a.t.Helper()
	if _, err := questions.Answer(a.t.Context(), a.p, questions.AnswerInput{Text: text}); err != nil {
		a.t.Fatal(err)
	}
}

// open returns how many questions wait for a person.
func (a asker) open() int {
	a.t.Helper()
	list, err := questions.List(a.t.Context(), a.p, questions.ListInput{})
	if err != nil {
		a.t.Fatal(err)
	}
	return len(list.Questions)
}

// request reads a request or a notification of the server.
func (a asker) request() (m struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Message   string
		Requested struct {
			Properties map[string]map[string]string
			Required   []string
		} `json:"requestedSchema"`
		RequestID string                       `json:"requestId"`
		Meta      map[string]map[string]string `json:"_meta"`
	}
}) {
	a.t.Helper()
	line, err := a.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		a.t.Fatalf("%q: %v", line, err)
	}
	return m
}

const which = "Which port?"

func askLine(id int) string { return callLine(id, "chant_ask", map[string]string{"prompt": which}) }

func TestPeople_elicitation(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply string
		text  string
		open  int
	}{
		"accepted":  {`"result":{"action":"accept","content":{"answer":"8080"}}`, "User response: 8080", 0},
		"declined":  {`"result":{"action":"decline"}`, "The question stays open: it was not answered here", 1},
		"cancelled": {`"result":{"action":"cancel"}`, "The question stays open: it was not answered here", 1},
		"empty":     {`"result":{"action":"accept","content":{"answer":" "}}`, "The question stays open: it was not answered here", 1},
		"refused":   {`"error":{"code":-32601,"message":"no forms"}`, "The question stays open: it could not be shown here (", 1},
		"odd":       {`"result":{"action":5}`, "The question stays open: it could not be shown here (", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAsker(t, "2025-06-18", `{"elicitation":{}}`)
			a.send(askLine(1))
			form := a.request()
			assert.Equal(t, "elicitation/create", form.Method)
			assert.Equal(t, which, form.Params.Message)
			assert.Equal(t, "string", form.Params.Requested.Properties["answer"]["type"])
			assert.Equal(t, "answer", form.Params.Requested.Required[0])
			assert.Equal(t, 1, a.open())
			a.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, form.ID, tt.reply))
			got := a.next().Result
			assert.False(t, got.IsError, "reply %+v", got)
			assert.HasPrefix(t, got.Content[0].Text, tt.text)
			assert.Equal(t, 1, len(got.Content))
			assert.Equal(t, tt.open, a.open())
			a.end()
		})
	}
}

// An answer by another way ends the form.
func TestPeople_answeredBesideTheForm(t *testing.T) {
	t.Parallel()
	a := newAsker(t, "2025-11-25", `{"elicitation":{"form":{}}}`)
	a.send(askLine(1))
	form := a.request()
	a.answer("8080")
	note := a.request()
	assert.Equal(t, "notifications/cancelled", note.Method)
	assert.Equal(t, string(form.ID), fmt.Sprintf("%q", note.Params.RequestID))
	got := a.next().Result
	assert.Equal(t, "User response: 8080", got.Content[0].Text, "reply %+v", got)
	a.end()
}

// A call that is cancelled leaves the question open.
func TestPeople_callCancelled(t *testing.T) {
	t.Parallel()
	a := newAsker(t, "2025-06-18", `{"elicitation":{}}`)
	a.send(askLine(1))
	a.request()
	a.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	note := a.request()
	assert.Equal(t, "notifications/cancelled", note.Method, "the form stays: %+v", note)
	a.send(callLine(2, "chant_status", struct{}{}))
	if got := a.next(); string(got.ID) != "2" || a.open() != 1 {
		t.Errorf("reply %+v, open %d", got, a.open())
	}
	a.end()
}

// startTask asks as a task and waits until that needs the person.
func (a asker) startTask() string {
	a.t.Helper()
	m := a.ask("tools/call", map[string]any{"name": "chant_ask", "arguments": map[string]string{"prompt": which}, "task": struct{}{}})
	if m.Result.Created == nil {
		a.t.Fatalf("no task: %+v", m)
	}
	note := a.next()
	if note.Method != "notifications/tasks/status" || note.Params.Status != taskrun.InputRequired || note.Params.Message != which {
		a.t.Fatalf("notified of %+v", note)
	}
	if got := a.ask("tasks/get", map[string]string{"taskId": m.Result.Created.ID}).Result.Status; got != taskrun.InputRequired {
		a.t.Fatalf("status %q", got)
	}
	return m.Result.Created.ID
}

// Cancelling the task withdraws the question; the end of the server does not.
func TestPeople_taskCancelled(t *testing.T) {
	t.Parallel()
	a := newAsker(t, "2025-11-25", `{}`)
	id := a.startTask()
	a.send(requestLine(1, "tasks/cancel", map[string]string{"taskId": id}))
	for range 2 { // the reply, and the notification
		m := a.next()
		assert.False(t, m.Result.Status != taskrun.Cancelled && m.Params.Status != taskrun.Cancelled, "cancelled: %+v", m)
	}
	a.end() // waits for what the task still does
	all, err := question.OpenBox(a.p.Store.Files, a.p.Now).All()
	assert.NoError(t, err)
	assert.Equal(t, 1, len(all))
	assert.Equal(t, question.Withdrawn, all[0].State)
	assert.Equal(t, "its task was cancelled", all[0].Why)
	b := newAsker(t, "2025-11-25", `{}`)
	b.startTask()
	assert.NoError(t, b.in.Close())
	note := b.next()
	assert.Equal(t, taskrun.Cancelled, note.Params.Status, "at the end of the server: %+v", note)
	assert.NoError(t, <-b.done)
	assert.Equal(t, 1, b.open())
}

// A task whose client shows forms is answered by its form, too.
func TestPeople_taskWithForm(t *testing.T) {
	t.Parallel()
	a := newAsker(t, "2025-11-25", `{"elicitation":{}}`)
	m := a.ask("tools/call", map[string]any{"name": "chant_ask", "arguments": map[string]string{"prompt": which}, "task": struct{}{}})
	a.next() // input_required
	form := a.request()
	assert.Equal(t, "elicitation/create", form.Method)
	assert.Equal(t, m.Result.Created.ID, form.Params.Meta["io.modelcontextprotocol/related-task"]["taskId"])
	a.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"answer":"8080"}}}`, form.ID))
	a.next() // working
	a.next() // completed
	got := a.ask("tasks/result", map[string]string{"taskId": m.Result.Created.ID}).Result
	assert.Equal(t, "User response: 8080", got.Content[0].Text, "result %+v", got)
	a.end()
}
