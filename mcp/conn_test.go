package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"chant/engine"

	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

type echoInput struct {
	Text string `json:"text,omitempty"`
}

type echoResult struct {
	Text string `json:"text"`
}

// echo answers at once.
func echo() toolset.Tool {
	return toolset.Tool{Name: "echo", Params: []toolset.Param{{Name: "text"}}, Op: toolset.Operation(
		func(_ context.Context, _ *engine.Project, in echoInput) (echoResult, error) {
			return echoResult(in), nil
		})}
}

// waiting is a long tool that tells when it begins and then waits to be let go.
func waiting(begun chan<- struct{}, letGo <-chan struct{}) toolset.Tool {
	return toolset.Tool{Name: "wait", Slow: toolset.Always, Op: toolset.Operation(
		func(ctx context.Context, _ *engine.Project, _ echoInput) (echoResult, error) {
			begun <- struct{}{}
			select {
			case <-letGo:
				return echoResult{"let go"}, nil
			case <-ctx.Done():
				return echoResult{}, &engine.Error{Code: engine.Canceled, Message: "stopped", Err: ctx.Err()}
			}
		})}
}

const pingLine = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

func TestServe_repliesKeepTheOrderOfRequests(t *testing.T) {
	t.Parallel()
	c := connect(t.Context(), t, echo())
	const n = 50
	go func() {
		lines := []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`}
		for i := 1; i <= n; i++ {
			lines = append(lines, callLine(i, "echo", map[string]any{"text": fmt.Sprint(i)}))
		}
		io.WriteString(c.in, strings.Join(lines, "\n")+"\n")
	}()
	for i := 0; i <= n; i++ {
		assert.Equal(t, fmt.Sprint(i), string(c.receive().ID))
	}
	c.end()
}

func TestServe_longCallHoldsUpNobody(t *testing.T) {
	t.Parallel()
	begun, letGo := make(chan struct{}, 1), make(chan struct{})
	c := connect(t.Context(), t, echo(), waiting(begun, letGo))
	c.send(callLine(1, "wait", struct{}{}), callLine(2, "echo", struct{}{}))
	<-begun
	assert.Equal(t, "2", string(c.receive().ID), "first reply has id")
	close(letGo)
	got := c.receive()
	assert.Equal(t, "1", string(got.ID))
	assert.False(t, got.Result.IsError, "second reply is %+v", got)
	c.end()
}

func TestServe_endOfInputWaitsForReplies(t *testing.T) {
	t.Parallel()
	const n = 2 * atOnce
	begun, letGo := make(chan struct{}, n), make(chan struct{})
	c := connect(t.Context(), t, waiting(begun, letGo))
	for i := range n {
		c.send(callLine(i, "wait", struct{}{}))
	}
	c.in.Close()
	<-begun
	close(letGo)
	seen := map[string]bool{}
	for range n {
		seen[string(c.receive().ID)] = true
	}
	assert.Equal(t, n, len(seen), "replies to %v", seen)
	c.end()
}

func TestServe_lastLineNeedsNoNewline(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	assert.NoError(t, Serve(t.Context(), strings.NewReader(pingLine), &out, io.Discard, nowhere, Options{}))
	assert.Equal(t, `{"jsonrpc":"2.0","result":{},"id":"ping"}`+"\n", out.String())
}

func TestServe_answersInTheFramingOfTheRequest(t *testing.T) {
	t.Parallel()
	framed := func(text string) string { return string(messageFrame([]byte(text), true)) }
	in := framed(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) +
		`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\r\n\r\n" +
		"content-type: application/json\ncontent-length:40\n\n" + `{"jsonrpc":"2.0","id":3,"method":"ping"}` +
		"Content-Length: many\r\n" + `{"jsonrpc":"2.0","id":4,"method":"ping"}`
	var out bytes.Buffer
	assert.NoError(t, Serve(t.Context(), strings.NewReader(in), &out, io.Discard, nowhere, Options{}))
	want := framed(`{"jsonrpc":"2.0","result":{},"id":1}`) +
		`{"jsonrpc":"2.0","result":{},"id":2}` + "\n" +
		framed(`{"jsonrpc":"2.0","result":{},"id":3}`) +
		framed(`{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: header has no valid Content-Length"},"id":null}`) +
		`{"jsonrpc":"2.0","result":{},"id":4}` + "\n"
	assert.Equal(t, want, out.String())
}

func TestServe_cancelledCallIsStoppedAndNotAnswered(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	c := connect(t.Context(), t, waiting(begun, nil))
	c.send(callLine(1, "wait", struct{}{}))
	<-begun
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, pingLine)
	assert.Equal(t, `"ping"`, string(c.receive().ID))
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unheard of"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, pingLine)
	assert.Equal(t, `"ping"`, string(c.receive().ID))
	c.end()
}

func TestConn_cancelReachesRequestsThatWait(t *testing.T) {
	t.Parallel()
	c := newServer(io.Discard, nowhere, fixed(), Options{Version: "0"}).newConn(t.Context())
	c.replies = make(chan outgoing, 1)
	next := &call{message: message{id: []byte("7"), method: "ping"}}
	next.ctx, next.stop = context.WithCancel(t.Context())
	c.register(next)
	c.cancel([]byte("7"))
	c.finish(next)
	assert.Equal(t, 0, len(c.replies))
	assert.False(t, c.busy(), "%v %v", len(c.replies), next.ctx.Err())
	assert.Error(t, next.ctx.Err())
}

func TestServe_panicIsAnInternalErrorAndTheServerLives(t *testing.T) {
	t.Parallel()
	broken := toolset.Tool{Name: "broken", Op: toolset.Operation(
		func(context.Context, *engine.Project, echoInput) (echoResult, error) { panic("secret detail") })}
	c := connect(t.Context(), t, broken)
	c.send(callLine(1, "broken", struct{}{}), pingLine)
	got := c.receive()
	assert.True(t, got.Error != nil, "got %+v", got)
	assert.Equal(t, -32603, got.Error.Code)
	assert.Equal(t, "Internal error", got.Error.Message)
	assert.Equal(t, `"ping"`, string(c.receive().ID))
	c.end()
	assert.Contains(t, c.logs.String(), "secret detail")
}

func TestServe_stopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	begun := make(chan struct{}, 1)
	c := connect(ctx, t, waiting(begun, nil))
	c.send(callLine(1, "wait", struct{}{}))
	<-begun
	stop()
	got := c.receive()
	assert.True(t, got.Result.IsError, "got %+v", got)
	assert.Equal(t, "stopped", got.text())
	assert.NoError(t, <-c.done)
}

func TestServe_progressComesBeforeItsReply(t *testing.T) {
	t.Parallel()
	const n = 20
	busy := toolset.Tool{Name: "busy", Slow: toolset.Always, Op: toolset.Operation(
		func(_ context.Context, p *engine.Project, _ echoInput) (echoResult, error) {
			for i := range n {
				p.Progress(engine.Event{Text: fmt.Sprint(i)})
			}
			return echoResult{}, nil
		})}
	c := connect(t.Context(), t, busy)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"busy","arguments":{},"_meta":{"progressToken":"p"}}}`)
	for i := range n {
		line, err := c.out.ReadString('\n')
		want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"%d","progress":%d,"progressToken":"p"}}`, i, i+1)
		assert.NoError(t, err)
		assert.Equal(t, want, strings.TrimSpace(line))
	}
	assert.Equal(t, "1", string(c.receive().ID))
	c.end()
}

// TestServe_endsAlthoughNobodyReads is told to stop while its writer is stuck. No
// call is under way then, so that it has nothing to wait for.
func TestServe_endsAlthoughNobodyReads(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	in, w := io.Pipe()
	unread, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- newServer(io.Discard, nowhere, fixed(), Options{Version: "0"}).serve(ctx, in, out) }()
	_, err := io.WriteString(w, pingLine+"\n"+pingLine+"\n")
	assert.NoError(t, err)
	stop()
	assert.NoError(t, <-ended)
	w.Close()
	unread.Close()
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("pipe is broken")

func TestServe_endsWhenNobodyReads(t *testing.T) {
	t.Parallel()
	in, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, pingLine+"\n"+pingLine+"\n")
	assert.IsError(t, Serve(t.Context(), in, brokenPipe{}, io.Discard, nowhere, Options{}), errBroken)
}
