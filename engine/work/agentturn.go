package work

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/engine/store/disk"
	"chant/engine/store/local"
)

// agentChoice is the agent of an attempt.
type agentChoice struct {
	provider, model string
	turn            int // of the pool's agents, from 1; 0 if the pool did not decide
}

// chooseAgent returns the agent for a spec without flags: that of the spec, else the agent of the pool whose turn it is where
// the settings have a rotation, else that of the project. Runs of work --all come with their agent.
func (w *Working) chooseAgent(before conversation, s *spec.Spec) (agentChoice, error) {
	p := w.Project
	choice := agentChoice{provider: usage.ProviderOf(p, s), model: usage.ModelOf(p, s)}
	rotation := p.Config.Parallel.Rotation
	if w.Input.Provider != "" || before.Provider != "" || s.Fields.Provider != "" || len(p.Config.Parallel.Agents) == 0 ||
		cmp.Or(rotation, schedule.None) == schedule.None {
		return choice, nil
	}
	agents := usage.PoolAgents(p)
	turns, err := agentTurns(p)
	if err != nil {
		return choice, err
	}
	choice.turn = turns + 1
	if rotation == schedule.Random {
		drawn, err := rand.Int(p.Rand, big.NewInt(1<<31))
		if err != nil {
			return choice, err
		}
		turns = int(drawn.Int64())
	}
	// One run alone says nothing about the load of agents, so each has its turn then, too.
	a := schedule.AgentInTurn(agents, turns)
	choice.provider, choice.model = a.Provider, cmp.Or(s.Fields.Model, a.Model, p.Config.Defaults.Model)
	return choice, nil
}

// agentTurns returns how many single runs the agents of the pool have had in this clone.
func agentTurns(p *engine.Project) (int, error) {
	text, err := os.ReadFile(p.Store.LocalPath(local.Numbers, turnsName))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	// With a broken file the round begins anew.
	if err != nil || bad != nil || n < 0 {
		return 0, err
	}
	return n, nil
}

// turnsName is the file of the number of turns; names of tasks have no @.
const turnsName = "@agent-turns"

// record writes down that the agent had its turn.
func (c agentChoice) record(p *engine.Project) error {
	if c.turn == 0 {
		return nil
	}
	path, err := p.Store.Local(local.Numbers, turnsName)
	if err != nil {
		return err
	}
	return disk.Write(path, fmt.Appendf(nil, "%d\n", c.turn), disk.Options{})
}
