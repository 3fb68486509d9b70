package overview

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/store/message"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// commitOf is a commit with a message and changed files: "+path", "-path" or "~path".
func commitOf(text string, files ...string) gitops.Touch {
	c := gitops.Touch{Commit: gitops.Commit{
		Hash: "c0ffee", Author: "Ada Lovelace <ada@example.com>", When: time.Date(2026, 11, 26, 10, 0, 0, 0, time.FixedZone("", 3600)),
		Message: text, Subject: strings.SplitN(text, "\n", 2)[0], Trailers: gitops.Trailers(text),
	}}
	for _, f := range files {
		one := gitops.FileChange{Path: f[1:], Old: "1", New: "2"}
		switch f[0] {
		case '+':
			one.Old = ""
		case '-':
			one.New = ""
		}
		c.Files = append(c.Files, one)
	}
	return c
}

func TestOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		touch gitops.Touch
		want  string
	}{
		"an event":               {commitOf(message.Commit{ID: "a", Event: "complete", Attempt: 2}.String(), "~.chant/specs/a.md"), "a complete 2"},
		"a landing, no file":     {commitOf(message.Commit{ID: "a", Event: "land", Subject: "Parse"}.String()), "a land"},
		"several events":         {commitOf(message.Join("x", []message.Record{{ID: "a", Event: "complete"}, {ID: "d", Event: "complete"}})), "a complete, d complete"},
		"the same twice":         {commitOf("chant(a): x\n\nChant-Spec: a\nChant-Event: edit\nChant-Event: edit"), "a edit"},
		"by hand":                {commitOf("Write specs", "+.chant/specs/b.md", "~.chant/specs/a.md", "-.chant/specs/c.md", "~main.go"), "a edit hand, b add hand, c delete hand"},
		"archived by hand":       {commitOf("Put away", "-.chant/specs/a.md", "+.chant/archive/2026-01-02/a.md"), "a archive hand"},
		"put back by hand":       {commitOf("Put back", "+.chant/specs/a.md", "-.chant/archive/2026-01-02/a.md"), "a edit hand"},
		"an agent's commit":      {commitOf("chant(a): half of it", "~main.go"), "a commit hand"},
		"other files":            {commitOf("Fix it", "~main.go", "~.chant/config.md", "+.chant/specs/x/y.md", "+.chant/specs/notes.txt", "+.chant/specs/.md"), ""},
		"no number":              {commitOf("chant(a): x\n\nChant-Spec: a\nChant-Event: start\nChant-Attempt: many"), "a start"},
		"trailers in the middle": {commitOf("Say\n\nChant-Spec: a\nChant-Event: start\n\nno trailers"), ""},
	} {
		var got []string
		for _, e := range ActivityOf(c.touch, ".chant") {
			text := e.Spec + " " + e.Event
			if e.Attempt > 0 {
				text += fmt.Sprint(" ", e.Attempt)
			}
			if e.Hand {
				text += " hand"
			}
			got = append(got, text)
			assert.Equal(t, "Ada Lovelace", e.By, "%s", name)
			assert.Equal(t, "ada@example.com", e.Mail, "%s", name)
			assert.Equal(t, "c0ffee", e.Commit, "%s", name)
			assert.NotEqual(t, "", e.Subject, "%s", name)
			assert.Equal(t, "2026-11-26T09:00:00Z", e.At.Format(time.RFC3339), "%s", name)
		}
		assert.Equal(t, c.want, strings.Join(got, ", "), "%s", name)
	}
}

func TestCollector(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }
	all := []ActivityEntry{
		{At: at(5), By: "Ada", Mail: "ada@example.com", Spec: "a.1", Event: "land"},
		{At: at(4), By: "Ada", Mail: "ada@example.com", Spec: "a.1", Event: "complete"},
		{At: at(3), By: "Bob", Mail: "bob@example.org", Spec: "b", Event: "add"},
		{At: at(2), By: "Bob", Mail: "bob@example.org", Spec: "a", Event: "edit"},
		{At: at(1), By: "Ada", Mail: "ada@example.com", Spec: "ab", Event: "add"},
	}
	for name, c := range map[string]struct {
		in   ActivityCollector
		want string
		more bool
	}{
		"all":              {ActivityCollector{}, "5 4 3 2 1", false},
		"the newest":       {ActivityCollector{Max: 2}, "5 4", true},
		"exactly all":      {ActivityCollector{Max: 5}, "5 4 3 2 1", false},
		"by a name":        {ActivityCollector{ActivityFilter: ActivityFilter{By: "ada"}}, "5 4 1", false},
		"by a mail":        {ActivityCollector{ActivityFilter: ActivityFilter{By: "EXAMPLE.ORG"}}, "3 2", false},
		"of a spec":        {ActivityCollector{ActivityFilter: ActivityFilter{Specs: []string{"a"}}}, "5 4 2", false},
		"since and until":  {ActivityCollector{ActivityFilter: ActivityFilter{Since: at(2), Until: at(4)}}, "4 3 2", false},
		"after the newest": {ActivityCollector{Skip: 1, Max: 2}, "4 3", true},
		"the newest by":    {ActivityCollector{Max: 1, ActivityFilter: ActivityFilter{By: "Bob"}}, "3", true},
		"the last of them": {ActivityCollector{Max: 1, ActivityFilter: ActivityFilter{Specs: []string{"ab"}}}, "1", false},
	} {
		for part := range slices.Chunk(all, 2) {
			c.in.Take(part)
		}
		var days []string
		for _, e := range c.in.Entries {
			days = append(days, fmt.Sprint(e.At.Day()))
		}
		assert.Equal(t, c.want, strings.Join(days, " "), "%s", name)
		assert.Equal(t, c.more, c.in.Total > len(c.in.Entries), "%s", name)
	}
}

// FuzzOf: whatever a commit says, each of its entries is of a spec and an event.
func FuzzOf(f *testing.F) {
	f.Add("chant(a): x\n\nChant-Spec: a\nChant-Event: start\nChant-Attempt: 99999999999999999999", "A <b>", ".chant/specs/a.md")
	f.Add("x\n\nChant-Spec:\nChant-Event:", "<", ".chant/archive/x/y.md")
	f.Fuzz(func(t *testing.T, text, by, path string) {
		c := commitOf(text, "+"+path)
		c.Author = by
		for _, e := range ActivityOf(c, ".chant") {
			assert.NotEqual(t, "", e.Event, "%q by %q", text, by)
			assert.NotEqual(t, "", e.Spec, "%q by %q", text, by)
		}
	})
}
