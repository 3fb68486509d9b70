// Package promptfile finds the prompts of chant: those in .chant/prompts of the project, the shipped ones, and the
// extensions that are appended to prompts. It knows no commands of climpt, fills in no variables and writes nothing.
//
// # Rules
//
//   - A prompt of the project replaces the shipped one of the same name.
//   - A file that is a link out of the project is not read, because its text would be sent to a model.
//
// # Decisions
//
// 2026-11-23: these prompts have a package of their own below engine/prompt/library, which makes commands of them. Rejected:
// one package for both, because the rules of climpt for files and settings apply to none of chant's prompts.
package promptfile
