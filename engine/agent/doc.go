// Package agent chooses who works on a spec and what prompt that agent gets: providers, models, prompts and their
// extensions, from the settings, the project's files and what is shipped.
//
// It starts no agent.
package agent
