package io.github.lockboot.sample.cluster;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the running instances.
 */
@RestController
class InstanceController {

	private final InstanceRegistry registry;

	InstanceController(InstanceRegistry registry) {
		this.registry = registry;
	}

	@GetMapping("/instances")
	Instances instances() {
		return new Instances(this.registry.self(), this.registry.instances());
	}

	record Instances(String self, List<String> all) {
	}

}
