package io.github.lockboot.sample.redis;

import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The number of commands that Redis has run, those within scripts included.
 */
@Component
public class CommandCount {

	private final StringRedisTemplate redis;

	CommandCount(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Return the number of all commands since Redis was started.
	 * @return their number, zero if Redis does not tell it
	 */
	public long total() {
		String total = this.redis.execute((RedisCallback<String>) (connection) -> String
			.valueOf(connection.serverCommands().info("stats").get("total_commands_processed")));
		return (total != null && total.matches("\\d+")) ? Long.parseLong(total) : 0;
	}

}
