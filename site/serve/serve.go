package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/view/pages"
	"chant/site"
)

// Input says where to serve.
type Input struct {
	Port int // 0 = any
	// Ready is called once requests are answered. The address contains the token.
	Ready func(address string)
}

// Result is how serving ended.
type Result struct{}

// server is the state that all requests share.
type server struct {
	project *engine.Project
	theme   *site.Theme
	gate    gate
	hub     *hub
	store   snapshots
	ending  context.Context // done when the server ends
}

// Timeouts of connections. Streams of events have none for the whole of an answer, only for each write.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	bodyTimeout   = 20 * time.Second
	maxHeader     = 32 << 10
)

// Serve serves until ctx is done. Errors: State inside a run, Conflict if the port is taken.
func Serve(ctx context.Context, p *engine.Project, in Input) (Result, error) {
	if err := pages.MayServe(p); err != nil {
		return Result{}, err
	}
	th, err := site.NewTheme(nil)
	if err != nil {
		return Result{}, engine.Wrap(err, "")
	}
	// Only on loopback: other machines cannot reach it.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(in.Port)))
	if err != nil {
		return Result{}, &engine.Error{Code: engine.Conflict, Next: next.Serve.On().Set("port", "0"), Message: fmt.Sprintf("cannot listen on port %d: %s", in.Port, err), Err: err}
	}
	s := &server{project: p, theme: th, gate: newGate(listener.Addr().String()), ending: ctx}
	s.hub = newHub(s.rows, s.textOf)
	return Result{}, engine.Wrap(s.run(ctx, listener, in.Ready), "")
}

// run answers requests until ctx is done, and returns when nothing runs any more.
func (s *server) run(ctx context.Context, listener net.Listener, ready func(string)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.ending = ctx
	web := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	changed, err := s.project.Store.Changes(ctx, lookEvery)
	if err != nil {
		engine.Warn(s.project, "", "the system reports no changes of files, so that pages are updated every few seconds: "+err.Error())
	}
	// Before the first page is shown, so that every page learns what has changed since.
	s.hub.compare(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.hub.run(ctx, changed, s.project.Store) })
	ended := make(chan error, 1)
	running.Go(func() { ended <- web.Serve(listener) })
	if ready != nil {
		ready(s.gate.entry())
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		// The context has ended, and what is being answered gets some more time.
		over, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		// Streams have ended with ctx, and decisions are waited for.
		err = web.Shutdown(over)
		if errors.Is(err, context.DeadlineExceeded) {
			err = web.Close()
		}
	}
	stop()
	running.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// shutdownTime is how long requests that are being answered may take at the end.
const shutdownTime = 5 * time.Second

// handler returns what answers requests: the gate, and the pages behind it.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.board)
	mux.HandleFunc("GET /index.html", s.board)
	mux.HandleFunc("GET /graph.html", s.sharedPage((*site.Renderer).Graph))
	mux.HandleFunc("GET /changelog.html", s.sharedPage((*site.Renderer).Changelog))
	mux.HandleFunc("GET /timeline.html", s.sharedPage(func(r *site.Renderer) ([]byte, error) { return r.Timeline("") }))
	mux.HandleFunc("GET /timeline/{month}", s.monthPage)
	mux.HandleFunc("GET /label/{label}", s.label)
	mux.HandleFunc("GET /spec/{page}", s.spec)
	mux.HandleFunc("GET /log/{id}", s.log)
	mux.HandleFunc("GET /static/{name}", s.staticFile)
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("GET /api/events", s.taskEvents)
	mux.HandleFunc("POST /act/{id}", s.act)
	return s.gate.guard(mux)
}

// randomName returns a name that cannot be guessed.
func randomName(bytes int) string {
	name := make([]byte, bytes)
	// It never fails.
	_, _ = rand.Read(name)
	return hex.EncodeToString(name)
}
