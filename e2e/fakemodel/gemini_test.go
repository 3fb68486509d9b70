package fakemodel

import (
	"reflect"
	"strings"
	"testing"
)

func geminiDialect() dialect {
	return dialect{
		path: "/v1beta/models/m:generateContent", streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
		first:  `{"tools":[{"functionDeclarations":[{"name":"read"}]}],"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`,
		before: "]}",
		result: func(id string) string {
			return `{"role":"model","parts":[{"text":"not the user"},{"functionCall":{"name":"read","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"` + id + `","name":"read","response":{"output":"fine"}}}]}`
		},
		whole:    func(t *testing.T, src string) speech { return readGemini(t, src) },
		streamed: func(t *testing.T, lines []string) speech { return readGemini(t, strings.Join(events(lines), "\n")) },
		idPrefix: "call_",
		failures: map[int]string{401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"},
	}
}

// readGemini reads one reply or the pieces of one, for they look alike.
func readGemini(t *testing.T, src string) speech {
	t.Helper()
	var s speech
	finished := false
	for _, r := range objects[struct {
		Candidates []struct {
			Content      struct{ Parts []geminiPart }
			FinishReason string
		}
		UsageMetadata struct{ PromptTokenCount, CachedContentTokenCount, CandidatesTokenCount, TotalTokenCount int }
	}](t, src) {
		for _, p := range r.Candidates[0].Content.Parts {
			s.text += p.Text
			if p.Call != nil {
				s.calls = append(s.calls, p.Call.Name+" "+p.Call.ID+" "+string(p.Call.Args))
			}
		}
		u := r.UsageMetadata
		s.usage = Usage{Input: u.PromptTokenCount - u.CachedContentTokenCount, CachedInput: u.CachedContentTokenCount, Output: u.CandidatesTokenCount}
		finished = r.Candidates[0].FinishReason == "STOP"
	}
	if !finished {
		t.Errorf("no finishReason at the end of %s", src)
	}
	return s
}

func TestGemini_results(t *testing.T) {
	t.Parallel()
	s := Start(t)
	ask(t, s, "POST", geminiDialect().path, `{"contents":[{"role":"user","parts":[`+
		`{"functionResponse":{"id":"a","response":{"error":"no such file"}}},`+
		`{"functionResponse":{"id":"b","response":{"output":{"n":1}}}},`+
		`{"functionResponse":{"id":"c","response":{"content":[]}}}]}]}`)
	want := []Result{{"a", "no such file", true}, {"b", `{"n":1}`, false}, {"c", `{"content":[]}`, false}}
	if got := s.Requests()[0].Results; !reflect.DeepEqual(got, want) {
		t.Errorf("results %+v, want %+v", got, want)
	}
}
