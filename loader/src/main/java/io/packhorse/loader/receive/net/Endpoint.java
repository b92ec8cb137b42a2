package io.packhorse.loader.receive.net;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Answers requests of one protocol. Any number of threads. */
interface Endpoint {
  /** Does what a request asks for. May block for a moment. */
  HttpAnswer answer(HttpCall call);

  /** An error in the words of the protocol. */
  HttpAnswer error(HttpResponseStatus status, String sentence);
}
