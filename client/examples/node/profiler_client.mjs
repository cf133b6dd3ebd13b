// Lists the captures of a running simplerd, asks for the verdict on the newest one and saves its
// trace, with Node's own gRPC implementation and the .proto file: no code of this project.
//
//   npm install
//   node profiler_client.mjs --address unix:/run/simplerd/simplerd.sock --trace run.pftrace
//
// --capture ID takes another capture than the newest, --run N another run than the first.

import {createWriteStream} from 'node:fs';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

const PROTO = fileURLToPath(
    new URL('../../../proto/simpler/profiler/v1/profiler.proto', import.meta.url));
// Documents may be as large as this (see the .proto file); the default of 4 MiB is too small.
const MAX_MESSAGE_BYTES = 64 << 20;

function connect(address) {
  const definition = protoLoader.loadSync(
      PROTO, {keepCase: true, longs: String, enums: String, defaults: true});
  const {Profiler} = grpc.loadPackageDefinition(definition).simpler.profiler.v1;
  return new Profiler(address, grpc.credentials.createInsecure(),
                      {'grpc.max_receive_message_length': MAX_MESSAGE_BYTES});
}

// A unary call as a promise that gives up after a minute.
function call(client, method, request) {
  const deadline = new Date(Date.now() + 60_000);
  return new Promise((resolve, reject) => {
    client[method](request, {deadline}, (error, answer) => error ? reject(error) : resolve(answer));
  });
}

function describe(capture) {
  const rows = capture.runs.reduce((sum, run) => sum + Number(run.aicore_rows), 0);
  return `${capture.id}  level ${capture.level}  ${rows} rows  ${capture.name}`;
}

// Streams the trace to a file and returns its size.
async function saveTrace(client, run, path) {
  const file = createWriteStream(path);
  let received = 0;
  for await (const chunk of client.FetchTrace({run})) {
    if (Number(chunk.offset) !== received) {
      throw new Error(`${path}: a chunk at ${chunk.offset} came where ${received} was due`);
    }
    received += chunk.data.length;
    if (!file.write(chunk.data)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return received;
}

async function main() {
  const {values} = parseArgs({
    options: {
      address: {type: 'string', default: 'unix:/run/simplerd/simplerd.sock'},
      capture: {type: 'string'},
      run: {type: 'string', default: '0'},
      trace: {type: 'string', default: 'trace.pftrace'},
    },
  });
  const client = connect(values.address);
  const {captures} = await call(client, 'ListCaptures', {});
  if (captures.length === 0) throw new Error('the daemon holds no capture; simplerctl import one');
  for (const capture of captures) console.log(describe(capture));

  const run = {
    capture_id: values.capture ?? captures.at(-1).id,
    run_index: Number(values.run),
  };
  const {verdict, quality} = await call(client, 'ComputeOverhead', {run});
  console.log(`\n${run.capture_id}: ${verdict.class} (data ${quality.class})`);
  for (const sentence of verdict.sentences) console.log(`  ${sentence}`);

  const bytes = await saveTrace(client, run, values.trace);
  console.log(`\n${bytes} bytes of trace in ${values.trace}: drop it on https://ui.perfetto.dev`);
  client.close();
}

main().catch((error) => {
  console.error(`profiler_client: ${error.details || error.message}`);
  process.exitCode = 1;
});
