import type { Command } from 'commander';
import { SKILL_IDS } from '../model/skill.ts';
import { type AgentOptions, withAgent, withAgentOptions } from './ask-options.ts';

/**
 * `mcp`: the tools on standard input and output, for programs that start their tools themselves. It asks the running
 * bridge over A2A and holds no data of its own: what is on the lot, who may call how often, and the way of a lead to
 * the CRM stay in one process, and any other dealer's agent will do as well.
 */
export function addMcpCommand(program: Command): void {
  withAgentOptions(program.command('mcp'))
    .summary('the dealer’s skills as MCP tools on standard input and output')
    .description(
      'Serves the skills of a dealer’s agent as tools of the Model Context Protocol on standard input and output, for ' +
        'AI assistants on this machine. The agent must be running: the bridge of the settings, or with --url any other. ' +
        'Ends when its input ends.',
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge mcp --config /etc/dealer-bridge/bridge.yaml
  dealer-bridge mcp --url https://dealer.example

An assistant that can call the bridge over HTTP needs no command: its address ends in /mcp.`,
    )
    .action((options: AgentOptions) =>
      withAgent(options, async (opened) => {
        const { createToolServers } = await import('../agent/mcp/tool-server.ts');
        const { remoteToolCall } = await import('./mcp-tool-call.ts');
        const { serveOnStdio } = await import('./mcp-stdio.ts');
        const newServer = createToolServers({
          skills: SKILL_IDS.filter((skill) => opened.agent.skills.includes(skill)),
          dealerName: opened.agent.name,
          programVersion: program.version() ?? '',
        });
        console.error(`dealer-bridge: tools of ${opened.agent.name} (${opened.agent.endpoint.origin}).`);
        await serveOnStdio(newServer, remoteToolCall(opened));
      }),
    );
}
