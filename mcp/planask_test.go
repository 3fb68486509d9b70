package mcp

import (
	"encoding/json"
	"fmt"
	"testing"

	"chant/engine/author/planning"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestPlan_questions: the person at a client that shows forms is asked what the planner wants to know; without an answer, and
// without forms, the proposed answer counts.
func TestPlan_questions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		capabilities, reply, answer string
	}{
		"answered": {`{"elicitation":{}}`, `"result":{"action":"accept","content":{"answer":"German"}}`, "German"},
		"declined": {`{"elicitation":{}}`, `"result":{"action":"decline"}`, ""},
		"refused":  {`{"elicitation":{}}`, `"error":{"code":-32601,"message":"no forms"}`, ""},
		"no forms": {`{}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAsker(t, "2025-06-18", tt.capabilities)
			enginetest.Commit(t, a.p.Repo.Home(), map[string]string{
				".chant/providers/planner.md": "---\ncommand: sh\nargs: [-c, 'cat > /dev/null; cat .chant/answer']\nprompt: stdin\nevents: lines\n---\n",
				".chant/answer": `{"questions": [{"question": "Which language?", "proposed": "English"}],
"specs": [{"title": "Write it", "criteria": [{"text": "it greets", "command": "test -f greeting"}]}]}`,
			})
			a.send(callLine(1, "chant_plan", map[string]string{"idea": "Greet", "provider": "planner"}))
			if tt.reply != "" {
				form := a.request()
				assert.Equal(t, "elicitation/create", form.Method)
				assert.Equal(t, "Which language?\nWithout an answer: English", form.Params.Message)
				a.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, form.ID, tt.reply))
			}
			got := a.receive()
			assert.False(t, got.Result.IsError, "%s", got.text())
			var plan planning.PlanResult
			assert.NoError(t, json.Unmarshal(got.Result.Structured, &plan))
			assert.Equal(t, []planning.Question{{Question: "Which language?", Proposed: "English", Answer: tt.answer}}, plan.Questions)
			assert.Equal(t, planning.Red, plan.Specs[0].Criteria[0].State)
			a.end()
		})
	}
}
