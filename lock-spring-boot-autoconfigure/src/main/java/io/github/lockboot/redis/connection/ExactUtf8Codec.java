package io.github.lockboot.redis.connection;

import java.nio.charset.StandardCharsets;

import io.lettuce.core.codec.StringCodec;
import io.netty.buffer.ByteBufUtil;

/**
 * UTF-8 that computes the length of a text before it is written. Lettuce then writes keys
 * and arguments directly into the command instead of copying each from a temporary
 * buffer; a script has a dozen of them.
 */
final class ExactUtf8Codec extends StringCodec {

	ExactUtf8Codec() {
		super(StandardCharsets.UTF_8);
	}

	@Override
	public boolean isEstimateExact() {
		return true;
	}

	@Override
	public int estimateSize(Object text) {
		return ByteBufUtil.utf8Bytes((String) text);
	}

}
