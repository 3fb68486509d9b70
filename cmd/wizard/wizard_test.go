package wizard

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/view"
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
	if err != nil || !reflect.DeepEqual(in, want) {
		t.Fatalf("%+v, %v\n%s", in, err, out.String())
	}
	var failure *engine.Error
	if _, err := Add(t.Context(), answers(&out), known); !errors.As(err, &failure) || failure.Code != engine.Canceled {
		t.Errorf("the input ended: %v", err)
	}
	const step = "chant add 'Parse dates\n\nin ISO format' --type task --criterion 'Tests pass `$ go test ./...`' --criterion \"It is fast\" --depends-on 002 --label api --label core"
	if got := AddStep(in).String(); got != step {
		t.Errorf("%s", got)
	}
}

// TestSpecs needs at least one.
func TestSpecs(t *testing.T) {
	t.Parallel()
	rows := []view.Row{{ID: "001", Title: "First"}, {ID: "002", Title: "Second"}}
	var out strings.Builder
	if ids, err := Specs(t.Context(), answers(&out, "1", "0"), "Which?", rows); err != nil || !reflect.DeepEqual(ids, []string{"001"}) {
		t.Errorf("%q, %v\n%s", ids, err, out.String())
	}
	var failure *engine.Error
	if _, err := Specs(t.Context(), answers(&out, "0"), "Which?", rows); !errors.As(err, &failure) || failure.Code != engine.Canceled {
		t.Errorf("nothing was chosen: %v", err)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if words, err := Words(t.Context(), answers(&out, " retry queue ")); err != nil || words != "retry queue" {
		t.Errorf("%q, %v\n%s", words, err, out.String())
	}
}

func TestRunnable(t *testing.T) {
	t.Parallel()
	k := Known{Dir: t.TempDir()}
	for text, refused := range map[string]bool{
		"": false, "It is good": false, "Tests `$ go version`": false, "Shell `$ test -e x`": false,
		"Missing `$ no-such-program-here x`": true, "Fine\nMissing `$ ./none`": true,
	} {
		if err := k.checkCriteria(text); (err != nil) != refused {
			t.Errorf("%q: %v", text, err)
		}
	}
}
