package io.github.lockboot.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableScheduling;

import io.github.lockboot.sample.redis.EmbeddedRedis;
import io.github.lockboot.sample.web.FreePort;

/**
 * The sample. Start it once or several times: each start is one more instance, which uses
 * the next free port and competes with the other instances.
 */
@SpringBootApplication
@EnableScheduling
@EnableResilientMethods
public class SampleApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		application.addInitializers(new EmbeddedRedis(), new FreePort());
		application.run(args);
	}

}
