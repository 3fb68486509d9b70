package jetstream_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
)

// cluster is three servers that a team runs itself.
type cluster struct {
	t       *testing.T
	options []server.Options
	servers []*server.Server
}

// newCluster starts three servers. They keep their ports when they start again.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t}
	var routes []*url.URL
	var ports []int
	var held []net.Listener
	for range 3 { // servers must know each other before they start
		l, err := net.Listen("tcp", "127.0.0.1:0")
		assert.NoError(t, err)
		held = append(held, l)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	for _, l := range held {
		assert.NoError(t, l.Close())
	}
	for i, port := range ports {
		o := server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(),
			NoSigs: true, NoLog: true, Cluster: server.ClusterOpts{Name: "team", Host: "127.0.0.1", Port: port}, Routes: routes,
		}
		s := c.run(o)
		o.Port = s.Addr().(*net.TCPAddr).Port
		c.options, c.servers = append(c.options, o), append(c.servers, s)
	}
	t.Cleanup(func() {
		for _, s := range c.servers {
			s.Shutdown()
			s.WaitForShutdown()
		}
	})
	return c
}

func (c *cluster) run(o server.Options) *server.Server {
	c.t.Helper()
	s, err := server.NewServer(&o)
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(limit) {
		c.t.Fatal("a server does not start")
	}
	return s
}

// urls returns where the servers listen.
func (c *cluster) urls() string {
	var out []string
	for _, s := range c.servers {
		out = append(out, s.ClientURL())
	}
	return strings.Join(out, ",")
}

// connect waits for the first election, too.
func (c *cluster) connect(name string) *jetstream.Broker {
	c.t.Helper()
	b, err := jetstream.Connect(until(c.t), jetstream.Options{URL: c.urls(), Project: project, Name: name, Patience: clusterPatience})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(b.Close)
	return b
}

// settled waits until all replicas of all streams are up to date.
func (c *cluster) settled() {
	c.t.Helper()
	nc, err := nats.Connect(c.urls())
	if err != nil {
		c.t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx := until(c.t)
	last := ""
	for {
		// A server that has just lost or won an election leaves some requests without an answer.
		asking, stop := context.WithTimeout(ctx, 5*time.Second)
		why := behind(asking, js)
		stop()
		if why == "" {
			return
		}
		if ctx.Err() != nil {
			c.t.Fatal(cmp.Or(last, why))
		}
		last = why
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// shrink leaves one replica of each stream, as if the cluster had had only one server when they were created.
func (c *cluster) shrink() {
	c.t.Helper()
	nc, err := nats.Connect(c.urls())
	if err != nil {
		c.t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		c.t.Fatal(err)
	}
	streams := js.ListStreams(until(c.t))
	for info := range streams.Info() {
		info.Config.Replicas = 1
		if _, err := js.UpdateStream(until(c.t), info.Config); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := streams.Err(); err != nil {
		c.t.Fatal(err)
	}
}

// behind says which stream has no three replicas that are up to date; "" if there is none.
func behind(ctx context.Context, js natsjs.JetStream) string {
	streams := js.ListStreams(ctx)
	n := 0
	for info := range streams.Info() {
		n++
		if info.Config.Replicas != 3 || info.Cluster == nil || info.Cluster.Leader == "" || len(info.Cluster.Replicas) != 2 {
			return fmt.Sprintf("the stream %q has %d replicas: %+v", info.Config.Name, info.Config.Replicas, info.Cluster)
		}
		for _, r := range info.Cluster.Replicas {
			if !r.Current || r.Offline {
				return fmt.Sprintf("a replica of the stream %q is behind: %+v", info.Config.Name, r)
			}
		}
	}
	if err := streams.Err(); err != nil {
		return err.Error()
	}
	if n != 4 {
		return fmt.Sprintf("there are %d streams", n)
	}
	return ""
}

// clusterPatience has room for elections.
const clusterPatience = 20 * time.Second

// TestCluster: each of three servers ends once while specs are worked on, and every spec is finished exactly once.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	b := c.connect("one")
	c.settled()
	c.shrink()
	serve(t, c.connect("hub"), fleet.Keeping{})
	other := c.connect("two") // adds the replicas again
	c.settled()
	const round = 10
	taken := map[string]int{}
	work := func(n int) {
		t.Helper()
		for range n {
			d, err := other.Take(until(t), fleet.Node{Name: "two"})
			assert.NoError(t, err)
			assert.NoError(t, d.Heartbeat(until(t)))
			finish(t, d)
			taken[d.Entry().ID]++
		}
	}
	for i := range c.servers {
		for j := range round {
			assert.NoError(t, b.Offer(until(t), fleet.Entry{ID: fmt.Sprint("s", i, "-", j)}))
		}
		held, err := b.Take(until(t), fleet.Node{Name: "one"})
		assert.NoError(t, err)
		work(round / 3)
		c.servers[i].Shutdown()
		c.servers[i].WaitForShutdown()
		assert.NoError(t, held.Heartbeat(until(t)), "heartbeat after the end of server %d", i)
		finish(t, held)
		taken[held.Entry().ID]++
		work(round - 1 - round/3)
		c.servers[i] = c.run(c.options[i])
		c.settled()
	}
	assert.Equal(t, 3*round, len(taken))
	for id, n := range taken {
		assert.Equal(t, 1, n, "%q was finished", id)
	}
	backlog, err := b.Backlog(until(t))
	assert.NoError(t, err)
	assert.Equal(t, 0, backlog.Waiting)
	assert.Equal(t, 0, backlog.Running)
}
