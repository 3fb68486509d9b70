// Package agent chooses the agent for a spec and its prompt: provider, model, prompt and extensions, from the settings,
// the project's files and what is shipped.
//
// It does not start agents.
package agent
