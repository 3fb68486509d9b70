package console

import (
	"context"
	"errors"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

func TestExitCode_everyCode(t *testing.T) {
	t.Parallel()
	want := map[engine.Code]int{
		engine.Internal: 1, engine.Usage: 2, engine.NotFound: 3, engine.Invalid: 4, engine.State: 5, engine.Blocked: 6,
		engine.Conflict: 7, engine.Agent: 8, engine.Unverified: 9, engine.Canceled: 130,
	}
	for code, exit := range want {
		assert.Equal(t, exit, exitCode(code), "%s exits", code)
	}
	a := &App{Ran: true}
	for err, code := range map[error]engine.Code{errors.New("x"): engine.Internal, context.Canceled: engine.Canceled} {
		assert.Equal(t, code, a.asError(err).Code, "%v", err)
	}
}
