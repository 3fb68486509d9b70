package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chant/text"
)

// maxCalls bounds the calls of one answer that are carried out.
const maxCalls = 16

// limitCalls drops the calls beyond the bound, and counts them. Kept with a refusal each, some
// hundreds of them would be all that the model has room for.
func limitCalls(got answer) (_ answer, over int) {
	if over = len(got.Calls) - maxCalls; over <= 0 {
		return got, 0
	}
	got.Calls = got.Calls[:maxCalls:maxCalls]
	// Only the last call can be cut off, and it is among those that are dropped.
	got.Cut = false
	return got, over
}

// assignIDs gives an id to each call that came without one, or with one that is taken.
func assignIDs(calls []call, turn int) {
	taken := map[string]bool{"": true}
	for i := range calls {
		// Some servers give no ids, or the same one twice.
		if taken[calls[i].ID] {
			calls[i].ID = "call_" + strconv.Itoa(turn) + "_" + strconv.Itoa(i)
		}
		taken[calls[i].ID] = true
	}
}

// carryOut gives every call of an answer its result, the last with a note of the calls
// that were not taken. The results share the room there is: each has an even part of what
// those before it have left. It ends early only with ctx, or when what was said is too
// much.
func (r *running) carryOut(ctx context.Context, got answer, over int) ([]result, error) {
	var results []result
	room := r.history.resultRoom()
	for i, c := range got.Calls {
		// Each result may have an even part of what the ones before it have left.
		box := r.box.withRoom(min(r.box.said, room/(len(got.Calls)-i)))
		// The call is reported before it is made, so that a call that never ends can be seen.
		if err := r.out.say(callLine{sayToolCall, c.ID, c.Tool, c.object()}); err != nil {
			return nil, err
		}
		text, failure := "", errors.New("not carried out: the call was cut off at the length limit of an answer; send less at once")
		// Only the last call of an answer that was cut off may lack its end.
		if !got.Cut || i < len(got.Calls)-1 || json.Valid([]byte(c.Input)) {
			text, failure = box.call(ctx, c)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		res := result{ID: c.ID, Tool: c.Tool, Text: text, Error: failure != nil}
		if failure != nil {
			res.Text = failure.Error()
		}
		// What a command has found of the key is not for the model.
		if key := r.out.key; len(key) >= minKey {
			res.Text = strings.ReplaceAll(res.Text, key, "[key]")
		}
		if over > 0 && i == len(got.Calls)-1 {
			res.Text += fmt.Sprintf("\n[calls that were not carried out: %d, for only %d are taken at once; call them again]", over, maxCalls)
		}
		room -= len(res.Text)
		if err := r.reportResult(res, failure); err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
}

// reportResult reports one result.
func (r *running) reportResult(res result, failure error) error {
	if isDenied(failure) {
		if err := r.out.say(deniedLine{sayDenied, res.Tool, res.Text}); err != nil {
			return err
		}
	}
	if err := r.out.say(resultLine{sayToolResult, res.ID, res.Tool, text.ClipBytes(res.Text, resultShown), res.Error}); err != nil {
		return err
	}
	return r.spend(len(res.Text))
}
