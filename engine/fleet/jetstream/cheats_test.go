package jetstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// siege is a fleet in which the worker "v" has taken the spec "hers" and waits while "w", whose key somebody else has, does
// what it wants. "waiting" is in the queue, and "passed" was claimed by w, put back, and taken by v.
type siege struct {
	*machine
	t    *testing.T
	ctx  context.Context
	p    jetstream.Project
	hub  *jetstream.Broker
	v    *jetstream.Broker
	hers *jetstream.Delivery
	next *jetstream.Delivery // of "passed", to v
	// passed is what w had taken before v, and mine what w has now.
	passed, mine *jetstream.Delivery
	w            *jetstream.Broker
	nc           *nats.Conn // of w, without the client of a queue
	denied       chan error
}

func newSiege(t *testing.T) *siege {
	t.Helper()
	s := &siege{machine: newMachine(t), t: t, ctx: until(t), p: project, denied: make(chan error, 1000)}
	s.patience = limit // no entry is delivered again, however slow the test is
	s.hub = s.keep()
	s.v, s.w = s.connect(s.options("v")), s.connect(s.options("w"))
	keys := map[string]string{}
	for _, u := range s.users {
		keys[u.Name] = u.PublicKey
	}
	s.must("trust", s.hub.Trust(s.ctx, keys))
	s.passed = s.take(s.w, "w", "passed")
	s.must("claimed", s.passed.AnnounceClaim(s.ctx))
	s.must("put back", s.passed.PutBack(s.ctx, 0, ""))
	s.next = s.take(s.v, "v", "passed")
	s.hers = s.take(s.v, "v", "hers")
	s.must("claimed", s.hers.AnnounceClaim(s.ctx))
	s.mine = s.take(s.w, "w", "mine")
	s.must("log", s.v.Log(s.ctx, "v", "hers", []byte("true\n")))
	s.must("register", s.v.Register(s.ctx, fleet.Node{Name: "v", Host: "right", Slots: 1, Running: []string{"hers"}}))
	if _, err := s.hub.Lease(s.ctx, fleet.LeaderRole, "hub"); err != nil {
		t.Fatal(err)
	}
	_, err := s.v.Ask(s.ctx, "v", fleet.Wish{Key: "sum.x", Text: []byte("7")})
	s.must("ask", err)
	s.must("offer", s.hub.Offer(s.ctx, fleet.Entry{ID: "waiting"}))
	s.nc = s.raw("w")
	s.nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { s.denied <- err })
	s.reported()
	return s
}

func (s *siege) must(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// take offers a spec and takes it.
func (s *siege) take(b *jetstream.Broker, node, id string) *jetstream.Delivery {
	s.t.Helper()
	s.must("offer", s.hub.Offer(s.ctx, fleet.Entry{ID: id}))
	d, err := b.Take(s.ctx, fleet.Node{Name: node})
	if err != nil || d.Entry().ID != id {
		s.t.Fatalf("took %+v, %v, want %q", d, err, id)
	}
	return d
}

// refused checks that the server refuses a subject, after something was tried there.
func (s *siege) refused(on string, err error) {
	s.t.Helper()
	s.must(on, err)
	for {
		select {
		case err := <-s.denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				s.t.Errorf("%q: %v", on, err)
			}
			if strings.Contains(err.Error(), on) {
				return
			}
		case <-s.ctx.Done():
			s.t.Fatalf("%q is not refused", on)
		}
	}
}

// publish publishes on subjects, each of which must be refused.
func (s *siege) publish(data string, subjects ...string) {
	s.t.Helper()
	for _, on := range subjects {
		s.refused(on, s.nc.Publish(on, []byte(data)))
	}
}

// ask asks hubs as w, and returns the answer.
func (s *siege) ask(request string) string {
	s.t.Helper()
	m, err := s.nc.RequestWithContext(s.ctx, s.p.Ask("w"), []byte(request))
	s.must(request, err)
	return string(m.Data)
}

// forged asks hubs as w for what must not be done; they report it in these words.
func (s *siege) forged(request, report string) {
	s.t.Helper()
	if got := s.ask(request); !strings.Contains(got, `"refused"`) && !strings.Contains(got, `"failed"`) && !strings.Contains(got, `"lost"`) {
		s.t.Errorf("%s: %s, want that it is refused", request, got)
	}
	if reports := s.reported(); report != "" && !slices.ContainsFunc(reports, func(r string) bool { return strings.HasPrefix(r, "w: ") && strings.Contains(r, report) }) {
		s.t.Errorf("%s: reported %q, want %q", request, reports, report)
	}
}

// log returns what a node has logged about a spec, as others read it.
func (s *siege) log(node, id string) string {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	pieces, err := s.hub.Follow(ctx, node, id)
	s.must("follow", err)
	var out strings.Builder
	for piece := range pieces {
		if len(piece) == 0 {
			break
		}
		out.Write(piece)
	}
	return out.String()
}

// unharmed checks that everything of others is as it was.
func (s *siege) unharmed() {
	s.t.Helper()
	if got := s.log("v", "hers"); got != "true\n" {
		s.t.Errorf("the log of v is %.100q", got)
	}
	nodes, err := s.v.Nodes(s.ctx)
	s.must("nodes", err)
	for _, n := range nodes {
		if n.Name == "v" && n.Host != "right" || n.Landing {
			s.t.Errorf("nodes %+v", nodes)
		}
	}
	if held, err := s.hub.Lease(s.ctx, fleet.LeaderRole, "hub"); err != nil || !held {
		s.t.Errorf("the lease: %t, %v, want that it is still held", held, err)
	}
	if sum, err := s.v.Ask(s.ctx, "v", fleet.Wish{Key: "sum.x", Text: []byte("0")}); err != nil || string(sum) != "7" {
		s.t.Errorf("the shared value is %s, %v", sum, err)
	}
	s.must("heartbeat of v", s.hers.Heartbeat(s.ctx))
	s.must("heartbeat of v for what w has had", s.next.Heartbeat(s.ctx))
	for id, want := range map[string]string{"hers": "v", "passed": "w v", "waiting": ""} {
		if takers, err := s.hub.Takers(s.ctx, id); err != nil || strings.Join(takers, " ") != want {
			s.t.Errorf("takers of %q: %q, %v, want %q", id, takers, err, want)
		}
	}
	s.must("finish of v", s.hers.Finish(s.ctx, fleet.Outcome{Status: "completed"}))
	if d, err := s.v.Take(s.ctx, fleet.Node{Name: "v"}); err != nil || d.Entry().ID != "waiting" {
		s.t.Errorf("took %+v, %v, want what waits", d, err)
	}
}

// records lists the subjects of streams that hold what is said of a spec, or of others than w.
func (s *siege) records() []string {
	return []string{
		s.p.Log("v", "hers"), s.p.Logged("v"), s.p.Taker("hers"), s.p.Taker("waiting"), s.p.Value("sum.x"), s.p.Key("v"), s.p.Node("v"),
		s.p.Node("*"), s.p.Log("w", "hers") + ".x", s.p.Logs(), s.p.Lease(fleet.LeaderRole), s.p.Work("_", "more"), s.p.Class("_"), s.p.Ask("v"),
		s.p.Command("v"), s.p.Command("w"), s.p.Change(fleet.Finished), s.p.Change(fleet.Landed), s.p.Change(fleet.Offered),
	}
}

// api lists subjects of the API of JetStream that change something, and those of acknowledgements.
func (s *siege) api() (out []string) {
	for _, stream := range []string{s.p.WorkStream(), s.p.LogStream(), s.p.KeptStream(), s.p.LiveStream()} {
		for _, verb := range []string{"STREAM.DELETE.", "STREAM.PURGE.", "STREAM.MSG.DELETE.", "STREAM.MSG.GET.", "STREAM.UPDATE.", "STREAM.SNAPSHOT.", "STREAM.INFO.", "STREAM.LEADER.STEPDOWN."} {
			out = append(out, "$JS.API."+verb+stream)
		}
		for _, verb := range []string{"CONSUMER.DELETE.", "CONSUMER.MSG.NEXT.", "CONSUMER.INFO.", "CONSUMER.PAUSE.", "CONSUMER.UNPIN.", "CONSUMER.RESET."} {
			out = append(out, "$JS.API."+verb+stream+"._")
		}
		out = append(out, "$JS.API.CONSUMER.CREATE."+stream+".c", "$JS.ACK."+stream+"._.1.1.1.1.0", "$JS.FC."+stream+".x")
	}
	return append(out, "$JS.API.STREAM.CREATE.more", "$JS.API.STREAM.NAMES", "$JS.API.INFO", "$JS.API.ACCOUNT.PURGE.FLEET", "$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO", "$JS.API.META.LEADER.STEPDOWN")
}

// TestCheats: what somebody with the key of a worker tries, without the client of a queue. Nothing of others changes.
func TestCheats(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(s *siege){
		"write under the specs and names of others": func(s *siege) {
			s.publish(`{"name":"v","host":"wrong","node":"w","lease":"x"}`, s.records()...)
		},
		"purge, delete and acknowledge what others have": func(s *siege) { s.publish(`{}`, s.api()...) },
		"read what is for others": func(s *siege) {
			for _, on := range []string{
				">", "_INBOX.>", jetstream.Inbox(s.users[0].PublicKey) + ".>", jetstream.Inbox(s.users[2].PublicKey) + ".>", s.p.All(), s.p.Any("ask"), s.p.Any("command"), s.p.Command("v"),
				s.p.Logs(), s.p.Any("key"), s.p.Any("value"), s.p.Any("taker"), s.p.WorkOf("*"), "_R_.>", "$SYS.>", "$JS.>", "$JS.EVENT.>",
			} {
				sub, err := s.nc.SubscribeSync(on)
				s.refused(on, err)
				_ = sub.Unsubscribe()
			}
			s.publish(`{"last_by_subj":"`+s.p.Key("v")+`"}`, jetstream.ReadSubject(s.p.KeptStream()), jetstream.ReadSubject(s.p.WorkStream()),
				jetstream.ReadSubject(s.p.LiveStream())+"."+s.p.Node("v"))
		},
		"have the server answer where it must not write itself": func(s *siege) {
			s.must("log", s.w.Log(s.ctx, "w", "mine", []byte(`{"name":"v","host":"wrong"}`)))
			for _, on := range append(s.records(), s.api()...) {
				for _, what := range []string{s.p.Log("w", "mine"), s.p.Log("w", "none")} {
					s.must(on, s.nc.PublishRequest(jetstream.ReadSubject(s.p.LogStream()), on, []byte(`{"last_by_subj":"`+what+`"}`)))
				}
				s.must(on, s.nc.PublishRequest(s.p.Node("w"), on, []byte(`{"name":"v"}`)))
				s.must(on, s.nc.PublishRequest(s.p.Ask("w"), on, []byte(`{"do":"beat","spec":"hers"}`)))
			}
		},
		"a log under the spec of another": func(s *siege) {
			piece := &nats.Msg{Subject: s.p.Log("w", "hers"), Header: nats.Header{"Chant-Spec": {fleet.Token("hers")}}, Data: []byte("forged\n")}
			s.must("log", s.nc.PublishMsg(piece))
			s.must("log", s.w.Log(s.ctx, "w", "waiting", []byte("forged\n")))
			s.awaitReport("it logs about spec")
			piece.Header = nats.Header{"Chant-Spec": {"*"}}
			s.must("log", s.nc.PublishMsg(piece))
		},
		"a result for a spec of another": func(s *siege) {
			s.forged(`{"do":"finish","spec":"hers","outcome":{"status":"completed"}}`, `its request is ignored: finish`)
			s.forged(`{"do":"put back","spec":"hers","after_ns":1}`, `its request is ignored: put back`)
			s.forged(`{"do":"beat","spec":"hers"}`, `its request is ignored: beat`)
			s.forged(`{"do":"claim","spec":"hers"}`, `its request is ignored: claim`)
		},
		"a result for a spec that nobody has taken": func(s *siege) {
			s.forged(`{"do":"finish","spec":"waiting","outcome":{"status":"completed"}}`, `spec "waiting" is not one that machine "w" has taken`)
			s.forged(`{"do":"finish","spec":"unknown"}`, "")
			s.forged(`{"do":"finish","spec":"*"}`, "")
			s.forged(`{"do":"finish","spec":">"}`, "")
			s.forged(`{"do":"finish"}`, "")
		},
		"the lease of another": func(s *siege) { // which it cannot read, but might have from elsewhere
			var t struct{ Lease string }
			nc := s.raw("hub")
			m, err := nc.RequestWithContext(s.ctx, jetstream.ReadSubject(s.p.KeptStream()), []byte(`{"last_by_subj":"`+s.p.Taker("hers")+`"}`))
			s.must("read", err)
			s.must("parse", json.Unmarshal(m.Data, &t))
			if t.Lease == "" {
				s.t.Fatalf("no lease in %s", m.Data)
			}
			s.forged(`{"do":"finish","spec":"hers","lease":"`+t.Lease+`"}`, "finish")
			s.forged(`{"do":"put back","spec":"hers","lease":"`+t.Lease+`","after_ns":3600000000000}`, "put back")
		},
		"take as another node": func(s *siege) {
			var a struct{ Lease string }
			s.must("parse", json.Unmarshal([]byte(s.ask(`{"do":"take","node":{"name":"v"},"spec":"hers"}`)), &a))
			if takers, err := s.hub.Takers(s.ctx, "waiting"); err != nil || strings.Join(takers, " ") != "w" {
				s.t.Errorf("takers %q, %v, want the node of the subject", takers, err)
			}
			if got := s.ask(`{"do":"put back","spec":"waiting","lease":"` + a.Lease + `"}`); got != "{}" {
				s.t.Errorf("its own entry cannot be put back: %s", got)
			}
			s.forged(`{"do":"finish","spec":"waiting","lease":"`+a.Lease+`"}`, "") // which is its own no longer
		},
		"an old message after the spec has passed to another": func(s *siege) {
			for what, do := range map[string]func() error{
				"heartbeat": func() error { return s.passed.Heartbeat(s.ctx) },
				"finish":    func() error { return s.passed.Finish(s.ctx, fleet.Outcome{Status: "completed"}) },
				"put back":  func() error { return s.passed.PutBack(s.ctx, time.Hour, "") },
				"claimed":   func() error { return s.passed.AnnounceClaim(s.ctx) },
			} {
				if err := do(); !errors.Is(err, fleet.ErrLost) {
					s.t.Errorf("%s of what has passed to v: %v, want %v", what, err, fleet.ErrLost)
				}
			}
			s.must("log", s.w.Log(s.ctx, "w", "passed", []byte("replayed\n")))
			if got := s.log("v", "passed"); got != "" {
				s.t.Errorf("the log of v is %q", got)
			}
		},
		"a finished entry that was offered again": func(s *siege) {
			s.must("finish", s.mine.Finish(s.ctx, fleet.Outcome{Status: "failed"}))
			s.must("offer", s.hub.Offer(s.ctx, fleet.Entry{ID: "mine"}))
			var got []*jetstream.Delivery
			for range 2 {
				d, err := s.v.Take(s.ctx, fleet.Node{Name: "v"})
				s.must("take", err)
				got = append(got, d)
			}
			again := got[1]
			if again.Entry().ID != "mine" {
				s.t.Fatalf("took %+v", again.Entry())
			}
			s.must("put back", got[0].PutBack(s.ctx, 0, ""))
			for range 3 {
				_ = s.mine.Finish(s.ctx, fleet.Outcome{Status: "completed"})
				_ = s.mine.PutBack(s.ctx, time.Hour, "")
			}
			s.must("heartbeat", again.Heartbeat(s.ctx))
			s.must("finish", again.Finish(s.ctx, fleet.Outcome{}))
		},
		"an old message about what it has taken again": func(s *siege) {
			s.must("put back", s.mine.PutBack(s.ctx, 0, ""))
			waiting, err := s.w.Take(s.ctx, fleet.Node{Name: "w"})
			s.must("take", err)
			again, err := s.w.Take(s.ctx, fleet.Node{Name: "w"})
			s.must("take", err)
			if waiting.Entry().ID != "waiting" {
				waiting, again = again, waiting
			}
			s.must("put back", waiting.PutBack(s.ctx, 0, ""))
			if err := s.mine.Finish(s.ctx, fleet.Outcome{Status: "completed"}); !errors.Is(err, fleet.ErrLost) {
				s.t.Errorf("%v, want %v", err, fleet.ErrLost)
			}
			s.must("heartbeat", again.Heartbeat(s.ctx))
		},
		"another node in the record of its own": func(s *siege) {
			// the answer comes when the record is stored, which is later than when the server has received it
			_, err := s.nc.RequestWithContext(s.ctx, s.p.Node("w"), []byte(`{"name":"v","host":"wrong","landing":true,"slots":1000000,"running":["waiting","hers"]}`))
			s.must("record", err)
			nodes, err := s.hub.Nodes(s.ctx)
			if i := slices.IndexFunc(nodes, func(n fleet.Node) bool { return n.Name == "w" }); err != nil || i < 0 || nodes[i].Landing || nodes[i].Host != "wrong" {
				s.t.Errorf("%+v, %v, want that w is listed under its own name, and does not lead", nodes, err)
			}
		},
		"a record that cannot be read": func(s *siege) {
			for _, data := range []string{"x", "[]", `{"name":5}`, "\x00", `{"slots":1e99}`} {
				s.must("record", s.nc.Publish(s.p.Node("w"), []byte(data)))
				s.must("flush", s.nc.FlushWithContext(s.ctx))
				if nodes, err := s.v.Nodes(s.ctx); err != nil || len(nodes) != 2 {
					s.t.Errorf("with %q: %+v, %v, want both nodes", data, nodes, err)
				}
			}
		},
		"shared values": func(s *siege) {
			s.forged(`{"do":"change","spec":"hers","wish":{"key":"sum.x","spec":"hers","text":"OQ=="}}`, "its request is ignored: change")
			s.forged(`{"do":"change","wish":{"key":"clock","text":"OQ=="}}`, "")
			s.forged(`{"do":"change","wish":{"key":"other.x","text":"OQ=="}}`, "")
			s.forged(`{"do":"change","wish":{"key":"sum.`+strings.Repeat("x", 1000)+`","text":"OQ=="}}`, "")
			s.forged(`{"do":"change"}`, "")
			s.forged(`{"do":"change","spec":"mine","wish":{"key":"sum.x","spec":"hers","text":"bm90IGEgbnVtYmVy"}}`, "")
			last := ""
			for i := range 200 {
				last = s.ask(fmt.Sprintf(`{"do":"change","wish":{"key":"sum.w%d","text":"MQ=="}}`, i))
			}
			if !strings.Contains(last, "takes no more") {
				s.t.Errorf("the 200th shared value: %s", last)
			}
		},
		"headers that have the server do more": func(s *siege) {
			for _, h := range []nats.Header{
				{"Nats-Rollup": {"all"}}, {"Nats-Rollup": {"sub"}}, {"Nats-TTL": {"1h"}},
				{"Nats-Schedule": {"@at 2026-01-01T00:00:00Z"}, "Nats-Schedule-Target": {s.p.Node("v")}},
				{"Nats-Batch-Id": {"b"}, "Nats-Batch-Sequence": {"1"}, "Nats-Batch-Commit": {"1"}},
				{"Nats-Incr": {"1"}}, {"Nats-Expected-Stream": {s.p.WorkStream()}}, {"Nats-Stream-Source": {"x"}},
				{"Nats-Expected-Last-Subject-Sequence": {"0"}, "Nats-Expected-Last-Subject-Sequence-Subject": {s.p.Any("node")}},
			} {
				for _, on := range []string{s.p.Node("w"), s.p.Log("w", "hers")} {
					if _, err := s.nc.RequestMsgWithContext(s.ctx, &nats.Msg{Subject: on, Header: h, Data: []byte(`{"name":"v","host":"wrong"}`)}); err != nil {
						s.t.Errorf("%v: %v", h, err)
					}
				}
			}
		},
		"more of a log than the server keeps": func(s *siege) {
			piece := make([]byte, 16<<10)
			for i := range 5000 { // of many specs: 80 MB
				m := &nats.Msg{Subject: s.p.Log("w", fmt.Sprint("s", i)), Header: nats.Header{"Chant-Spec": {fmt.Sprint("s", i)}}, Data: piece}
				s.must("log", s.nc.PublishMsg(m))
			}
			s.must("flush", s.nc.FlushWithContext(s.ctx))
		},
		"huge messages": func(s *siege) {
			huge := make([]byte, 200<<10)
			for _, on := range []string{s.p.Node("w"), s.p.Log("w", "mine")} {
				m, err := s.nc.RequestWithContext(s.ctx, on, huge)
				if err != nil || !strings.Contains(string(m.Data), "message size exceeds maximum") {
					s.t.Errorf("%q: %+v, %v, want that the server refuses it", on, m, err)
				}
			}
			if err := s.nc.Publish(s.p.Ask("w"), make([]byte, 512<<10)); !errors.Is(err, nats.ErrMaxPayload) {
				s.t.Errorf("%v, want that the server accepts no such message", err)
			}
			s.forged(`{"do":"finish","spec":"`+strings.Repeat("x", 100<<10)+`"}`, "")
		},
		"more requests than a hub can answer": func(s *siege) {
			for range 20_000 {
				s.must("ask", s.nc.PublishRequest(s.p.Ask("w"), s.nc.NewRespInbox(), []byte(`{"do":"finish","spec":"hers"}`)))
			}
			s.must("flush", s.nc.FlushWithContext(s.ctx))
			s.must("heartbeat", s.hers.Heartbeat(s.ctx)) // while those of w are answered
		},
		"news for everybody": func(s *siege) {
			for range 1000 {
				s.must("logged", s.nc.Publish(s.p.Logged("w"), []byte("18446744073709551615")))
			}
			s.must("flush", s.nc.FlushWithContext(s.ctx))
			if got := s.log("w", "mine"); got != "" {
				s.t.Errorf("the log is %q", got)
			}
		},
		"the signature of another": func(s *siege) {
			text := []byte("a claim")
			signed, err := s.w.Sign(text)
			s.must("sign", err)
			s.must("verify", s.hub.Verify(s.ctx, "w", text, signed))
			for name, c := range map[string]struct{ node, text, signature string }{
				"another node": {"v", "a claim", signed}, "another text": {"w", "a claim!", signed}, "none": {"w", "a claim", ""},
				"not a signature": {"w", "a claim", "x"}, "an unknown node": {"x", "a claim", signed}, "no node": {"", "a claim", signed},
			} {
				if err := s.hub.Verify(s.ctx, c.node, []byte(c.text), c.signature); !errors.Is(err, fleet.ErrNotSigned) {
					s.t.Errorf("%s: %v, want %v", name, err, fleet.ErrNotSigned)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSiege(t)
			try(s)
			s.unharmed()
		})
	}
}

// awaitReport waits until a hub has reported w in these words.
func (s *siege) awaitReport(words string) {
	s.t.Helper()
	for {
		if slices.ContainsFunc(s.reported(), func(r string) bool { return strings.HasPrefix(r, "w: ") && strings.Contains(r, words) }) {
			return
		}
		select {
		case <-s.ctx.Done():
			s.t.Fatalf("%q is not reported", words)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
