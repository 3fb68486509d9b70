package wizard

import (
	"errors"
	"io"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// answers is a person who types these lines.
func answers(out *strings.Builder, lines ...string) Screen {
	return Screen{In: &terminal{lines}, Out: out, Plain: true}
}

// terminal gives a line to each read, as terminals do.
type terminal struct{ lines []string }

func (t *terminal) Read(into []byte) (int, error) {
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(into, t.lines[0]+"\n")
	t.lines = t.lines[1:]
	return n, nil
}

// TestAdd asks in plain lines.
func TestAdd(t *testing.T) {
	t.Parallel()
	known := Known{Dir: t.TempDir(), Specs: []view.Row{{ID: "001", Title: "First"}, {ID: "002", Title: "Second"}}, Criteria: []string{"Tests pass `$ go test ./...`"}}
	var out strings.Builder
	in, err := Add(t.Context(), answers(&out, "2", "Parse dates", "in ISO format", "0", "It is fast", "2", "0", "api, core,"), known)
	want := author.AddInput{
		Type: "task", Description: "Parse dates\n\nin ISO format", Criteria: []string{"Tests pass `$ go test ./...`", "It is fast"},
		DependsOn: []string{"002"}, Labels: []string{"api", "core"},
	}
	assert.NoError(t, err, "%s", out.String())
	assert.Equal(t, want, in, "%s", out.String())
	var failure *engine.Error
	_, err = Add(t.Context(), answers(&out), known)
	assert.True(t, errors.As(err, &failure), "the input ended: %v", err)
	assert.Equal(t, engine.Canceled, failure.Code, "the input ended")
	const step = "chant add 'Parse dates\n\nin ISO format' --type task --criterion 'Tests pass `$ go test ./...`' --criterion \"It is fast\" --depends-on 002 --label api --label core"
	assert.Equal(t, step, AddStep(in).String())
}

// TestSpecs needs at least one.
func TestSpecs(t *testing.T) {
	t.Parallel()
	rows := []view.Row{{ID: "001", Title: "First"}, {ID: "002", Title: "Second"}}
	var out strings.Builder
	ids, err := Specs(t.Context(), answers(&out, "1", "0"), "Which?", rows)
	assert.NoError(t, err, "%s", out.String())
	assert.Equal(t, []string{"001"}, ids, "%s", out.String())
	var failure *engine.Error
	_, err = Specs(t.Context(), answers(&out, "0"), "Which?", rows)
	assert.True(t, errors.As(err, &failure), "nothing was chosen: %v", err)
	assert.Equal(t, engine.Canceled, failure.Code, "nothing was chosen")
}

func TestWords(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	words, err := Words(t.Context(), answers(&out, " retry queue "))
	assert.NoError(t, err, "%s", out.String())
	assert.Equal(t, "retry queue", words, "%s", out.String())
}

func TestRunnable(t *testing.T) {
	t.Parallel()
	k := Known{Dir: t.TempDir()}
	for text, refused := range map[string]bool{
		"": false, "It is good": false, "Tests `$ go version`": false, "Shell `$ test -e x`": false,
		"Missing `$ no-such-program-here x`": true, "Fine\nMissing `$ ./none`": true,
	} {
		assert.Equal(t, refused, k.checkCriteria(text) != nil, "%q", text)
	}
}
